import Pipeline
import PipelineActions
import Testing

struct AuthenticationChallengeTests {
    /// A challenge as a line: scheme, data, then the parameters in order of their names.
    func lines(_ fields: String...) -> [String] {
        AuthenticationChallenge.challenges(in: fields).map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=<\($0.value)>" }
            return ([challenge.scheme] + [challenge.token68].compactMap { $0 } + parameters).joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("Basic realm=\"simple\"", ["Basic realm=<simple>"]),
        (
            // RFC 9110, section 11.6.1.
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            ["Basic realm=<simple>", "Newauth realm=<apps> title=<Login to \"apps\"> type=<1>"]
        ),
        ("Negotiate", ["Negotiate"]), ("Negotiate, NTLM", ["Negotiate", "NTLM"]),
        ("Negotiate abc+/==, Basic realm=x", ["Negotiate abc+/==", "Basic realm=<x>"]),
        ("Negotiate abc=", ["Negotiate abc="]), ("A b=c", ["A b=<c>"]), ("A b = c", ["A b=<c>"]),
        ("A b=\"c, D e=f\"", ["A b=<c, D e=f>"]), (", ,A b=c,, d=e ,", ["A b=<c> d=<e>"]),
        ("A\tb=c", ["A b=<c>"]), ("A   b=c", ["A b=<c>"]), ("A B=c", ["A b=<c>"]), ("A b=\"\"", ["A b=<>"]),
        (#"A b="\\\"""#, [#"A b=<\">"#]),
        ("Digest qop=\"auth,auth-int\", realm=\"ä\"", ["Digest qop=<auth,auth-int> realm=<ä>"]),
        ("A, b=c", ["A b=<c>"]),  // The grammar allows an empty first element.
        ("", []), ("  ", []), (",", []),
    ])
    func `reads what one field holds`(field: String, expected: [String]) {
        #expect(lines(field) == expected)
    }

    @Test func `reads several fields in their order`() {
        #expect(
            lines("Basic realm=a", "Digest realm=b, Bearer", "X") == [
                "Basic realm=<a>", "Digest realm=<b>", "Bearer", "X",
            ]
        )
    }

    @Test(arguments: [
        ("A b=\"c", []), ("A b=\"c\\", []), ("A b=, c=d", []), ("A b=\"c\"d", []), ("A b=c d=e", []),
        ("A b=c; d=e", []),
        ("A b=c, D e=\"f", ["A b=<c>"]), ("A b=c, =d", []), ("A b=c, d=", []), ("A b=c, (x)", []), ("A;", []),
        ("\"A\" b=c", []),
        ("A b=c, B=d", []),  // The names are the same.
        ("A b=c, B=d, E f=g", ["E f=<g>"]),
    ])
    func `what is broken ends the field, and what is given twice is left out`(field: String, expected: [String]) {
        #expect(lines(field) == expected)
        #expect(lines(field, "Ok") == expected + ["Ok"])
    }

    @Test func `schemes are the same in any letter case`() {
        let challenge = AuthenticationChallenge.challenges(in: ["dIGEST Realm=a"]).first
        #expect(challenge?.isScheme("Digest") == true)
        #expect(challenge?.isScheme("Digests") == false)
        #expect(challenge?.realm == "a")
    }
}
