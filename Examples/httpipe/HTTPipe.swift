import Foundation
import Pipeline

/// A command-line client over the framework; `httpipe --help` tells how to use it.
@main
enum HTTPipe {
    static func main() async {
        // A reader that leaves is told by the write that fails, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) async -> ExitStatus {
        if arguments.contains("--help") || arguments == ["-h"] {
            try? Output.standardOutput.write(Help.text)
            return .acceptable
        }
        do {
            let options = try Options(arguments: arguments)
            let environment = ProcessInfo.processInfo.environment
            let transport = try TransportTable.transport(for: options.connection, environment: environment)
            let work = try work(for: options, over: transport)
            return await Interrupt.cancelling {
                let status = await work()
                // The end of the process takes libraries down, which no thread may be in.
                await transport.shutdown()
                return status
            }
        } catch {
            return Console.report("usage: \(error); see httpipe --help", .usage)
        }
    }

    /// What the command is to do.
    private static func work(
        for options: Options,
        over transport: any Transport
    ) throws(UsageError) -> @Sendable () async -> ExitStatus {
        switch options.command {
        case .send:
            let exchange = Exchange(
                options: options,
                actions: try options.actions.actions(for: options.url),
                transport: transport
            )
            return { await exchange.run() }
        case .curl:
            let preview = CommandPreview(options: options)
            return { await preview.run() }
        case .pins:
            let listing = try ChainListing(of: options.url, over: transport)
            return { await listing.run() }
        }
    }
}
