import Foundation
import Pipeline
import PipelineActions

/// Downloads several files at once into a folder, with a bar for each.
///
///     swift run Downloader FOLDER URL…
///
/// Break it off however you like, with Ctrl-C or by losing the network, and run it again: what is whole is left alone, and the
/// rest goes on where it stopped. Each file has the last part of its URL's path as its name.
@main
enum Downloader {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let urls = arguments.dropFirst().compactMap(URL.init(string:))
        guard let folder = arguments.first, !urls.isEmpty, urls.count == arguments.count - 1 else {
            print("usage: Downloader FOLDER URL…")
            exit(2)
        }
        let names = urls.map(\.lastPathComponent)
        guard names.allSatisfy({ !["", "/", ".", ".."].contains($0) }), Set(names).count == names.count else {
            print("error: each URL must end in a name, and no two in the same")
            exit(2)
        }
        let isWhole = await download(urls, to: URL(fileURLWithPath: folder, isDirectory: true))
        exit(isWhole ? 0 : 1)
    }

    /// Downloads all files.
    ///
    /// - Returns: Whether all of them are there.
    private static func download(_ urls: [URL], to folder: URL) async -> Bool {
        let network = Network(actions: [RetryAction()])
        let screen = Screen(rows: urls.map(\.lastPathComponent))
        return await withTaskGroup(of: Bool.self) { group in
            for (row, url) in urls.enumerated() {
                group.addTask { await download(url, to: folder, over: network) { await screen.show($0, in: row) } }
            }
            return await group.reduce(true) { $0 && $1 }
        }
    }

    /// Downloads one file under the last part of its URL's path.
    ///
    /// - Returns: Whether it is there.
    private static func download(
        _ url: URL,
        to folder: URL,
        over network: Network,
        show: (Screen.Line) async -> Void
    ) async -> Bool {
        let target = folder.appendingPathComponent(url.lastPathComponent)
        guard !FileManager.default.fileExists(atPath: target.path) else {
            await show(.finished("is there already"))
            return true
        }
        do {
            for try await update in network.updates(of: Download(NetworkRequest(url: url), to: target)) {
                switch update {
                case .progress(let progress): await show(.progress(progress))
                case .finished(let file):
                    await show(.finished("\(file.size) bytes" + (file.resumedAt > 0 ? ", gone on with" : "")))
                }
            }
            return true
        } catch {
            // In few words, or the line would be longer than the terminal is wide.
            await show(.failed((error as? NetworkError)?.code.rawValue ?? "\(error)"))
            return false
        }
    }
}
