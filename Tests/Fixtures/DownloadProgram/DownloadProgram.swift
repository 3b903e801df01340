import Foundation
import Pipeline

/// Downloads what is at a URL to a file or a folder. The tests start it, and some end it early.
@main
enum DownloadProgram {
    static func main() async {
        let words = CommandLine.arguments
        guard words.count == 3, let url = URL(string: words[1]) else { exit(64) }
        do {
            try await Network().download(url, to: URL(fileURLWithPath: words[2]))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
