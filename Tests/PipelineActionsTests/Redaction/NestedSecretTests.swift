import Foundation
import PipelineActions
import Testing

/// A secret within a secret, and damage behind it.
struct NestedSecretTests {
    @Test(arguments: [
        #"{"token": {"token": 1, "x": ["zq9" zq9"#, #"{"token": [{"password": "a"}, "zq9", zq9!]}"#,
        #"{"a": [{"token": {"x": [{"token": ": [{"zq9": 0}}]}"#,
        #"{"a": [{"token": {"x": [{"token": "b"}], "y": "zq9"}!}]}"#,
    ])
    func `what stands behind a secret in a secret shows as little as before it`(json: String) {
        for isWhole in [true, false] {
            let text = RedactionPolicy.standard.redacted(
                body: Data(json.utf8),
                contentType: "application/json",
                isWhole: isWhole
            )
            #expect(text?.contains(RedactionPolicy.mark) == true)
            #expect(text?.contains("zq9") == false)
        }
    }
}
