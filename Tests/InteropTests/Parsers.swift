import Foundation
import TestSupport

/// Parsers that nobody here wrote, and that many servers are built on.
enum Parser: String, CaseIterable, Sendable {
    /// Of Python's standard library.
    case email
    /// What Starlette and FastAPI read forms with.
    case pythonMultipart = "python-multipart"
    /// What Flask reads forms with.
    case werkzeug

    private static let variable = "PIPELINE_INTEROP_PYTHON"

    /// The Python that has them all, if `Scripts/interop` told one.
    static var python: String? { ProcessInfo.processInfo.environment[variable] }

    /// An entry of a form, as a parser reads it.
    struct Entry: Decodable, Equatable {
        var name: String?
        var file: String?
        var content: Data

        /// Two strings are equal in Swift also where their bytes differ.
        static func == (one: Entry, other: Entry) -> Bool {
            one.name.map { Array($0.utf8) } == other.name.map { Array($0.utf8) }
                && one.file.map { Array($0.utf8) } == other.file.map { Array($0.utf8) } && one.content == other.content
        }
    }

    /// Reads a form as the server would.
    func read(_ body: Data, contentType: String) async throws -> [Entry] {
        try await Python.run(
            Self.script,
            telling: ["type": contentType, "parser": rawValue],
            reading: body,
            with: Self.python ?? "python3"
        )
    }

    /// `email` reads heads as ASCII by itself; browsers send UTF-8.
    private static let script = """
        import base64, io, urllib.parse

        def read_email(type, data):
            import email.message, email.parser
            if type.startswith("application/x-www-form-urlencoded"):
                pairs = urllib.parse.parse_qsl(data.decode("ascii"), keep_blank_values=True, strict_parsing=True)
                return [(name, None, text.encode()) for name, text in pairs]
            root = email.parser.BytesParser().parsebytes(b"Content-Type: " + type.encode() + b"\\r\\n\\r\\n" + data)
            assert root.is_multipart() and not root.defects, root.defects
            entries = []
            for part in root.get_payload():
                raw = dict(part.raw_items())["Content-Disposition"]
                head = email.message.Message()
                head["Content-Disposition"] = raw.encode("ascii", "surrogateescape").decode("utf-8")
                name, file = (head.get_param(key, header="content-disposition") for key in ("name", "filename"))
                entries.append((name, file, part.get_payload(decode=True)))
            return entries

        def read_python_multipart(type, data):
            from python_multipart import parse_form
            entries = []
            def on_field(field):
                name, value = field.field_name, field.value or b""
                if type.startswith("application/x-www-form-urlencoded"):
                    # It leaves the escapes to whoever calls it.
                    name, value = (urllib.parse.unquote_to_bytes(text.replace(b"+", b" ")) for text in (name, value))
                entries.append((name.decode(), None, value))
            def on_file(file):
                file.file_object.seek(0)
                entries.append((file.field_name.decode(), file.file_name.decode(), file.file_object.read()))
            headers = {"Content-Type": type.encode(), "Content-Length": str(len(data)).encode()}
            parse_form(headers, io.BytesIO(data), on_field, on_file)
            return entries

        def read_werkzeug(type, data):
            from werkzeug.http import parse_options_header
            from werkzeug.formparser import FormDataParser
            from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder
            kind, options = parse_options_header(type)
            if kind == "application/x-www-form-urlencoded":
                form = FormDataParser(silent=False).parse(io.BytesIO(data), kind, len(data), options)[1]
                return [(name, None, text.encode()) for name, text in form.items(multi=True)]
            decoder = MultipartDecoder(options["boundary"].encode())
            decoder.receive_data(data)
            decoder.receive_data(None)
            entries = []
            while not isinstance(event := decoder.next_event(), Epilogue):
                if isinstance(event, (Field, File)):
                    entries.append((event.name, getattr(event, "filename", None), b""))
                elif isinstance(event, Data):
                    name, file, content = entries[-1]
                    entries[-1] = name, file, content + event.data
            return entries

        read = {"email": read_email, "python-multipart": read_python_multipart, "werkzeug": read_werkzeug}
        print(json.dumps([
            {"name": name, "file": file, "content": base64.b64encode(bytes(content)).decode()}
            for name, file, content in read[value["parser"]](value["type"], data)
        ]))
        """
}
