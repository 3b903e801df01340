import PipelineActions
import Testing

struct SecretNamesTests {
    @Test(arguments: [
        "password", "PASSWORD", "userPassword", "user[password]", "password_confirmation", "access_token",
        "accessToken",
        "Access-Token", "refresh_token", "id_token_hint", "client_secret", "api_key", "apikey", "X-API-Key", "code",
        "key",
        "auth.code", "client_assertion", "assertion", "authorization", "session", "PHPSESSIONID", "sid", "cookie",
        "X-Amz-Signature", "X-Amz-Credential", "sig", "pin", "csrfmiddlewaretoken", "private_key", "passwd",
        "subscription-key", "x-functions-key", "SharedKey", "auth_code", "recoveryCodes", "securityCode", "new.pin",
        "creditCardNumber", "license_key", "mfaCode",
    ])
    func `knows secrets however they are spelt`(name: String) {
        #expect(SecretNames.standard.contains(name))
    }

    @Test(arguments: [
        "", "page", "token_type", "max_tokens", "monkey", "zipcode", "shipping", "keyword", "author", "passenger",
        "statusCode", "Access-Control-Allow-Credentials", "design", "[]", "..",
        "error_code", "country_code", "Idempotency-Key", "Sec-WebSocket-Key", "primary_key", "user.name", "x[]",
    ])
    func `leaves other names alone`(name: String) {
        #expect(!SecretNames.standard.contains(name))
    }

    @Test func `can be extended and cut down`() {
        var names = SecretNames.standard
        names.insert("iban")
        names.insert(containing: "salary")
        names.remove("code")
        names.remove("csrf_token")
        #expect(names.contains("IBAN"))
        #expect(names.contains("baseSalary"))
        #expect(!names.contains("ibanCountry"))
        #expect(!names.contains("Code"))
        #expect(!names.contains("csrfToken"))
    }
}
