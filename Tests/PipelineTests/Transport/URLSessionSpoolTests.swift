#if canImport(Glibc)
    import Foundation
    import Pipeline
    import PipelineTesting
    import TestSupport
    import Testing

    /// The file to which `URLSession` is given a stream that is too large for memory.
    @Suite(.timeLimit(.minutes(3)))
    struct URLSessionSpoolTests {
        static let prefix = "pipeline-upload-"

        let server: LoopbackServer
        let transport = URLSessionTransport()

        init() throws {
            server = try LoopbackServer()
            server.handle { _ in .text("ok") }
        }

        /// A request with a stream of chunks, which are asked for by their number.
        func post(_ chunks: @escaping @Sendable (Int) -> Data?) -> NetworkRequest {
            let body = RequestBody.stream {
                let count = Locked(0)
                return AsyncStream<Data> {
                    let number = count.withLock { count in
                        defer { count += 1 }
                        return count
                    }
                    return chunks(number)
                }
            }
            return NetworkRequest(method: .post, url: server.url("/"), body: body)
        }

        /// A file that is closed to others after it was made has been open to them.
        @Test func `is private from its birth`() async throws {
            let watch = try FolderWatch(FileManager.default.temporaryDirectory)
            let large = Data(repeating: 7, count: 2 << 20)
            _ = try await transport.send(post { $0 == 0 ? large : nil }).body.collect()

            let sightings = watch.sightings().filter { $0.name.hasPrefix(Self.prefix) }
            #expect(sightings.contains { $0.mask & UInt32(IN_CREATE) != 0 })
            #expect(!sightings.contains { $0.mask & UInt32(IN_ATTRIB) != 0 })
        }

        @Test func `a disk that is full is no fault of the stream, and nothing stays there`() async throws {
            let mark = Data(UUID().uuidString.utf8)
            let large = mark + Data(repeating: 7, count: 2 << 20)
            let place = Locked<String?>(nil)
            let request = post { count in
                if count == 1 { place.withLock { $0 = Self.fillDisk(underFileOf: mark) } }
                return count < 2 ? large : nil
            }
            let error = await #expect(throws: NetworkError.self) { try await transport.send(request) }

            #expect(error?.code == .fileFailed)
            #expect(error?.reach == .no)
            #expect(server.requests.isEmpty)
            let path = try #require(place.withLock { $0 })
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        /// Turns the descriptor of the file that begins with a mark into one of a device that is always full.
        ///
        /// - Returns: The path of the file.
        static func fillDisk(underFileOf mark: Data) -> String? {
            let manager = FileManager.default
            for name in (try? manager.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
                guard let path = try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
                    path.contains(prefix), let descriptor = CInt(name),
                    (try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: mark.count)) == mark
                else { continue }
                let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
                defer { close(full) }
                return dup2(full, descriptor) == descriptor ? path : nil
            }
            return nil
        }
    }

    /// What becomes of the files in a folder, as the kernel tells it (inotify(7)).
    private final class FolderWatch: Sendable {
        struct Sighting {
            let mask: UInt32
            let name: String
        }

        private let descriptor: CInt

        init(_ folder: URL) throws {
            descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
            try #require(descriptor >= 0)
            try #require(inotify_add_watch(descriptor, folder.path, UInt32(IN_CREATE | IN_ATTRIB)) >= 0)
        }

        deinit { close(descriptor) }

        /// All that has happened until now.
        func sightings() -> [Sighting] {
            var sightings: [Sighting] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
                var rest = buffer[..<count]
                // The head of an event is four numbers of four bytes: watch, mask, cookie and the length of the name.
                while rest.count >= 16 {
                    let numbers = rest.prefix(16).withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
                    rest = rest.dropFirst(16)
                    let name = rest.prefix(Int(numbers[3])).prefix { $0 != 0 }
                    sightings.append(Sighting(mask: numbers[1], name: String(decoding: name, as: UTF8.self)))
                    rest = rest.dropFirst(Int(numbers[3]))
                }
            }
            return sightings
        }
    }
#endif
