import Foundation

// Feeds one parser with what libFuzzer thinks of. `Scripts/fuzz` runs it.
//
//     fuzz                              the names of the targets, a line each
//     fuzz NAME [libFuzzer's words]     fuzzes one
//
// libFuzzer brings the main function, and calls these two by their names (`FuzzerInterface.h` of LLVM's compiler-rt).

private enum FuzzCommand {
    static let target: FuzzTarget? = {
        guard CommandLine.arguments.count > 1 else { return nil }
        return FuzzTarget.all.first { $0.name == CommandLine.arguments[1] }
    }()
}

/// Takes the target's name out of libFuzzer's words.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    guard count.pointee > 1 else {
        for target in FuzzTarget.all { print(target.name) }
        exit(0)
    }
    guard FuzzCommand.target != nil else {
        print("error: there is no target \(CommandLine.arguments[1])")
        exit(64)
    }
    arguments.pointee[1] = arguments.pointee[0]
    arguments.pointee += 1
    count.pointee -= 1
    return 0
}

/// Checks one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try FuzzCommand.target?.check(Data(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    } catch {
        print("\n\(FuzzCommand.target?.name ?? ""): \(error)")
        // libFuzzer takes an abort for a crash, and keeps the input.
        fflush(nil)
        abort()
    }
}
