import Foundation
import Pipeline
import PipelineTesting

@testable import PipelineActions

/// The server's side of digest authentication, which counts and judges.
final class DigestServer: Sendable {
    enum Verdict: Sendable, Hashable {
        case missing
        case wrong
        case stale
        case right(nonceCount: String)
    }

    private struct State: Sendable {
        var nonce = 1
        var verdicts: [Verdict] = []
        var seen: Set<String> = []
    }

    private let state = Guarded(State())
    private let password: String
    private let algorithm: String

    init(password: String = "Circle of Life", algorithm: String = "SHA-256") {
        self.password = password
        self.algorithm = algorithm
    }

    var verdicts: [Verdict] { state.withLock { $0.verdicts } }

    /// Lets every nonce so far go stale.
    func age() {
        state.withLock { $0.nonce += 1 }
    }

    func answer(_ request: LoopbackRequest) -> LoopbackReply {
        let verdict = judge(request)
        let nonce = state.withLock { state in
            state.verdicts.append(verdict)
            return "n\(state.nonce)"
        }
        guard case .right = verdict else {
            let stale = verdict == .stale ? ", stale=true" : ""
            let digest =
                #"Digest realm="r@test", qop="auth, auth-int", algorithm=\#(algorithm), nonce="\#(nonce)"\#(stale)"#
            return .status(401, headers: ["WWW-Authenticate": #"Basic realm="r", \#(digest)"#], body: "who are you?")
        }
        return .text("welcome")
    }

    private func judge(_ request: LoopbackRequest) -> Verdict {
        let fields = request.values(of: "Authorization")
        guard let credentials = AuthenticationChallenge.challenges(in: fields).first else { return .missing }
        let given = credentials.parameters
        guard fields.count == 1, credentials.isScheme("Digest"), let nonce = given["nonce"], let count = given["nc"],
            let clientNonce = given["cnonce"], given["uri"] == request.target, given["username"] == "Mufasa",
            given["response"] == response(to: request, nonce: nonce, count: count, clientNonce: clientNonce)
        else { return .wrong }
        return state.withLock { state in
            guard nonce == "n\(state.nonce)" else { return .stale }
            // A count that was there before is a replay.
            return state.seen.insert("\(nonce) \(count)").inserted ? .right(nonceCount: count) : .wrong
        }
    }

    private func response(to request: LoopbackRequest, nonce: String, count: String, clientNonce: String) -> String {
        let user = hexadecimal("Mufasa:r@test:\(password)")
        return hexadecimal(
            "\(user):\(nonce):\(count):\(clientNonce):auth:\(hexadecimal("\(request.method):\(request.target)"))"
        )
    }

    private func hexadecimal(_ text: String) -> String {
        let digest = try? MessageDigest.digest(of: text, algorithm == "MD5" ? .md5 : .sha256)
        return (digest ?? Data()).map { String(format: "%02x", $0) }.joined()
    }
}
