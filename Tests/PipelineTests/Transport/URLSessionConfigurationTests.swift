import Foundation
import Pipeline
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct URLSessionConfigurationTests {
    @Test(arguments: ["default", "ephemeral"])
    func `keeps no cookies, credentials or responses`(name: String) {
        let configuration: URLSessionConfiguration = name == "default" ? .default : .ephemeral

        let quiet = configuration.keepingNothing()

        #expect(quiet.httpCookieStorage == nil)
        #expect(!quiet.httpShouldSetCookies)
        #expect(quiet.urlCredentialStorage == nil)
        #expect(quiet.urlCache == nil)
    }

    @Test func `keeps a cache that somebody made, and what else was set`() {
        let configuration = URLSessionConfiguration.ephemeral
        let cache = URLCache(memoryCapacity: 1234, diskCapacity: 0, diskPath: nil)
        configuration.urlCache = cache
        configuration.httpMaximumConnectionsPerHost = 3

        let quiet = configuration.keepingNothing()

        #expect(quiet.urlCache === cache)
        #expect(quiet.httpMaximumConnectionsPerHost == 3)
        #expect(configuration.httpShouldSetCookies)
    }
}
