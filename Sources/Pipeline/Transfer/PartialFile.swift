import Foundation

/// A file that is not whole yet, hidden beside the place it is for, and a note of what is known about it.
///
/// Only the owner can read both. Whoever opens it has it alone: another who wants it, in this program or another, is turned
/// away until it is closed. Bytes are handed to the system at once, so that none that was written is lost with the program.
final class PartialFile: Sendable {
    private let descriptor: CInt
    private let file: URL
    private let note: URL

    /// Opens the file of a name, or makes it.
    ///
    /// - Throws: `EAGAIN` if somebody else has it open; `EPERM` if it is somebody else's, or no file.
    init(in folder: URL, named name: String) throws(POSIXError) {
        file = folder.appendingPathComponent(".\(name).partial")
        note = folder.appendingPathComponent(".\(name).partial.json")
        for _ in 0..<Self.patience {
            let descriptor = try Self.openOwn(file, O_RDWR | O_CREAT)
            do throws(POSIXError) {
                try Self.check(flock(descriptor, LOCK_EX | LOCK_NB))
                // The one who had it before can have moved it to its place or removed it after it was opened here.
                if try Self.isAlone(descriptor, at: file) {
                    self.descriptor = descriptor
                    return
                }
                close(descriptor)
            } catch {
                close(descriptor)
                throw error
            }
        }
        throw POSIXError(.EAGAIN)
    }

    /// How often somebody else may take the file away between its being found and its being had.
    private static let patience = 100

    deinit { close(descriptor) }

    /// How many bytes there are.
    var length: Int {
        get throws(POSIXError) { Int(try Self.status(of: descriptor).st_size) }
    }

    /// Cuts off what is behind a place.
    func cut(at length: Int) throws(POSIXError) {
        try Self.check(ftruncate(descriptor, off_t(length)))
    }

    /// Writes bytes at a place.
    func write(_ bytes: Data, at place: Int) throws {
        try bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(place + done))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw POSIXError(Self.lastError) }
                done += count
            }
        }
    }

    /// Reads the bytes in a range, piece by piece.
    func read(_ range: Range<Int>, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var place = range.lowerBound
        while place < range.upperBound {
            let wanted = min(buffer.count, range.upperBound - place)
            let count = pread(descriptor, buffer.baseAddress, wanted, off_t(place))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw POSIXError(count < 0 ? Self.lastError : .EIO) }
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            place += count
        }
    }

    // MARK: The note

    /// Reads the note; `nil` if there is none that can be read.
    func readNote() -> Data? {
        guard let descriptor = try? Self.openOwn(note, O_RDONLY) else { return nil }
        return try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd()
    }

    /// Replaces the note. One that is cut off by the end of the program cannot be read and is as good as none.
    func writeNote(_ content: Data) throws {
        removeNote()
        let descriptor = try Self.openOwn(note, O_WRONLY | O_CREAT | O_EXCL)
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: content)
    }

    func removeNote() {
        unlink(note.path)
    }

    // MARK: The end

    /// Lets others have the file. Closing it is not enough: a program that is being started at that moment holds a copy of the
    /// descriptor, and with it the lock, until it runs.
    func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// Removes the file and the note.
    func remove() {
        removeNote()  // While nobody else can have made one.
        unlink(file.path)
    }

    /// Moves the file to its place. What was there is replaced in one step; a link there is replaced, not followed.
    func move(to target: URL) throws(POSIXError) {
        guard DownloadTarget.canBeReplaced(target) else { throw POSIXError(.EEXIST) }
        try Self.check(rename(file.path, target.path))
        removeNote()
    }

    /// Moves the file to a place where nothing is.
    ///
    /// - Returns: Whether it was moved; `false` if something is there.
    func move(toFree target: URL) throws(POSIXError) -> Bool {
        if link(file.path, target.path) == 0 {
            unlink(file.path)
        } else if errno == EEXIST {
            return false
        } else {
            // The file system knows no second name for a file. So the name is taken first, and then replaced.
            do throws(POSIXError) {
                _ = try PrivateFile(target).create()
            } catch {
                if error.code == .EEXIST { return false }
                throw error
            }
            do throws(POSIXError) {
                try Self.check(rename(file.path, target.path))
            } catch {
                unlink(target.path)
                throw error
            }
        }
        removeNote()
        return true
    }

    // MARK: The system

    /// Opens one of our own files: no link, and nobody else's.
    private static func openOwn(_ url: URL, _ flags: CInt) throws(POSIXError) -> CInt {
        let descriptor = open(url.path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        try check(descriptor)
        do throws(POSIXError) {
            let status = try status(of: descriptor)
            guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { throw POSIXError(.EPERM) }
            try check(fchmod(descriptor, 0o600))
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Whether the file that is open is the one at the place, and has no second name. One that has loses this one: it is whole
    /// and where it belongs, or somebody has laid it there to have another file overwritten.
    private static func isAlone(_ descriptor: CInt, at url: URL) throws(POSIXError) -> Bool {
        let opened = try status(of: descriptor)
        var found = stat()
        guard lstat(url.path, &found) == 0, found.st_dev == opened.st_dev, found.st_ino == opened.st_ino else {
            return false
        }
        guard found.st_nlink == 1 else {
            try check(unlink(url.path))
            return false
        }
        return true
    }

    private static func status(of descriptor: CInt) throws(POSIXError) -> stat {
        var status = stat()
        try check(fstat(descriptor, &status))
        return status
    }

    private static var lastError: POSIXErrorCode { POSIXErrorCode(rawValue: errno) ?? .EIO }

    private static func check(_ result: CInt) throws(POSIXError) {
        guard result >= 0 else { throw POSIXError(lastError) }
    }
}
