package import Foundation
import Pipeline

/// A program that runs beside the tests, and inherits nothing of theirs but what it is given.
///
/// Foundation's `Process` closes those descriptors in the program that it found in a listing. One that another thread opened
/// meanwhile stays open there. An exit test waits for the end of a pipe, and does so on one of the few threads that tasks run
/// on; while a program holds that pipe by accident, that thread is lost, and two of them are all there are on two cores.
package final class ChildProcess: Sendable {
    private let identifier: pid_t
    private let status = OneShot<Int32>()

    /// The program could not be started.
    package struct Failure: Error {
        package let code: Int32
    }

    /// Starts a program, which is looked for in the path.
    ///
    /// - Parameters:
    ///   - arguments: Its name and its arguments.
    ///   - environment: All that its environment holds; that of the tests unless told otherwise.
    ///   - input: What it reads; nothing unless told otherwise.
    ///   - output: What it writes into; nobody's unless told otherwise.
    ///   - errors: Where its errors go; to those of the tests unless told otherwise.
    package init(
        _ arguments: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        input: FileHandle = .nullDevice,
        output: FileHandle = .nullDevice,
        errors: FileHandle = .standardError
    ) throws {
        var actions = Self.makeActions()
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, handle) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, target)
        }
        try Self.closeOthers(&actions)
        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var identifier = pid_t()
        let code = posix_spawnp(&identifier, arguments[0], &actions, nil, words, variables)
        guard code == 0 else { throw Failure(code: code) }
        self.identifier = identifier
        reap()
    }

    /// Takes note of the end as soon as it comes. A program that has ended and that nobody has asked about stands in the way of
    /// exit tests, which wait for any child to end.
    private func reap() {
        Thread.detachNewThread { [identifier, status] in
            var code: Int32 = 0
            while waitpid(identifier, &code, 0) < 0, errno == EINTR {}
            let signal = code & 0x7F
            status.resolve(signal == 0 ? code >> 8 & 0xFF : -signal)
        }
    }

    /// Does what Ctrl-C does.
    package func interrupt() { kill(identifier, SIGINT) }

    /// Ends the program at once, without its having a say.
    package func cutOff() { kill(identifier, SIGKILL) }

    /// Waits for the end. To be called once.
    ///
    /// - Returns: The program's status, or the number of the signal that ended it, negative.
    package func end() async -> Int32 { await status.value() }

    /// Does on a thread of its own what blocks it.
    package static func waiting<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }

    #if canImport(Darwin)
        private static func makeActions() -> posix_spawn_file_actions_t? {
            var actions: posix_spawn_file_actions_t?
            posix_spawn_file_actions_init(&actions)
            return actions
        }

        // What Foundation opens there closes with the program that is replaced.
        private static func closeOthers(_ actions: inout posix_spawn_file_actions_t?) {}
    #else
        private static func makeActions() -> posix_spawn_file_actions_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            return actions
        }

        private typealias CloseFrom =
            @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

        /// Has all other descriptors closed in the program. The toolchain's module of the C library lacks this function.
        private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) throws(Failure) {
            guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
                throw Failure(code: ENOSYS)
            }
            let code = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, STDERR_FILENO + 1)
            guard code == 0 else { throw Failure(code: code) }
        }
    #endif
}

extension FileHandle {
    /// Reads what there is, at least a byte; nothing at the end. Foundation stops the process when a signal comes in between.
    package func nextBytes(upTo limit: Int = 4096) -> Data {
        var buffer = [UInt8](repeating: 0, count: limit)
        while true {
            let count = posixRead(fileDescriptor, &buffer, limit)
            if count >= 0 { return Data(buffer[..<count]) }
            if errno != EINTR { return Data() }
        }
    }

    /// Reads to the end, on a thread of its own.
    package func allBytes() async -> Data {
        await ChildProcess.waiting {
            var data = Data()
            while case let piece = self.nextBytes(upTo: 1 << 16), !piece.isEmpty { data += piece }
            return data
        }
    }
}

// Within `FileHandle` the name stands for its own methods.
private func posixRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
