/// Media types by the extensions of file names.
///
/// The systems' own tables differ from machine to machine, or are not there; so this is a short one of what programs send,
/// with the names that are registered with IANA.
package enum MediaType {
    /// The media type of what a file is named like; `application/octet-stream` if its extension is none of the known ones.
    package static func ofFile(named name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return unknown }
        return byExtension[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let unknown = "application/octet-stream"

    private static let byExtension: [String: String] = [
        // Texts. They are taken for UTF-8, as what is written today.
        "css": "text/css; charset=utf-8", "csv": "text/csv; charset=utf-8", "htm": "text/html; charset=utf-8",
        "html": "text/html; charset=utf-8", "ics": "text/calendar; charset=utf-8", "log": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8", "txt": "text/plain; charset=utf-8", "vcf": "text/vcard; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        // Data.
        "geojson": "application/geo+json", "json": "application/json", "jsonl": "application/jsonl",
        "ndjson": "application/x-ndjson", "plist": "application/x-plist", "wasm": "application/wasm",
        "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        // Documents.
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "odt": "application/vnd.oasis.opendocument.text", "pdf": "application/pdf",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rtf": "application/rtf", "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        // Pictures.
        "avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic", "heif": "image/heif",
        "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "jxl": "image/jxl",
        "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
        // Sound and video.
        "aac": "audio/aac", "flac": "audio/flac", "m4a": "audio/mp4", "mp3": "audio/mpeg", "oga": "audio/ogg",
        "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/vnd.wave", "weba": "audio/webm",
        "m4v": "video/x-m4v", "mov": "video/quicktime", "mp4": "video/mp4", "mpeg": "video/mpeg", "ogv": "video/ogg",
        "webm": "video/webm",
        // Archives.
        "7z": "application/x-7z-compressed", "bz2": "application/x-bzip2", "gz": "application/gzip",
        "tar": "application/x-tar", "tgz": "application/gzip", "zip": "application/zip", "zst": "application/zstd",
    ]
}
