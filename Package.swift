// swift-tools-version: 6.2

import PackageDescription

let languageRules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Pipeline",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Pipeline", targets: ["Pipeline"]),
        .library(name: "PipelineActions", targets: ["PipelineActions"]),
        .library(name: "PipelineTesting", targets: ["PipelineTesting"]),
    ],
    targets: [
        // libcurl, loaded at run time. On other platforms nothing needs it.
        .target(name: "CCurl"),
        .target(
            name: "Pipeline",
            dependencies: [.target(name: "CCurl", condition: .when(platforms: [.linux]))],
            swiftSettings: languageRules
        ),
        // Package access is off: built-in actions use only what anyone could use.
        .target(
            name: "PipelineActions",
            dependencies: ["Pipeline"],
            packageAccess: false,
            swiftSettings: languageRules
        ),
        // Cassettes leave out what logs do, by the same policy.
        .target(
            name: "PipelineTesting",
            dependencies: ["Pipeline", "PipelineActions"],
            swiftSettings: languageRules
        ),
        .executableTarget(
            name: "Quickstart",
            dependencies: ["Pipeline", "PipelineActions", "PipelineTesting"],
            path: "Examples/Quickstart",
            swiftSettings: languageRules
        ),
        .executableTarget(
            name: "Endpoints",
            dependencies: ["Pipeline", "PipelineActions", "PipelineTesting"],
            path: "Examples/Endpoints",
            swiftSettings: languageRules
        ),
        .executableTarget(
            name: "Chat",
            dependencies: ["Pipeline", "PipelineActions", "PipelineTesting"],
            path: "Examples/Chat",
            packageAccess: false,
            swiftSettings: languageRules
        ),
        .executableTarget(
            name: "Login",
            dependencies: ["Pipeline", "PipelineActions", "PipelineTesting"],
            path: "Examples/Login",
            packageAccess: false,
            swiftSettings: languageRules
        ),
        .executableTarget(
            name: "Calls",
            dependencies: ["Pipeline", "PipelineTesting"],
            path: "Examples/Calls",
            swiftSettings: languageRules
        ),
        .executableTarget(
            name: "httpipe",
            dependencies: ["Pipeline", "PipelineActions"],
            path: "Examples/httpipe",
            packageAccess: false,
            swiftSettings: languageRules
        ),
        .executableTarget(
            name: "Downloader",
            dependencies: ["Pipeline", "PipelineActions"],
            path: "Examples/Downloader",
            packageAccess: false,
            swiftSettings: languageRules
        ),
        // What several test targets share.
        .target(
            name: "TestSupport",
            dependencies: ["Pipeline"],
            path: "Tests/TestSupport",
            swiftSettings: languageRules
        ),
        // What tests start and end early.
        .executableTarget(
            name: "DownloadProgram",
            dependencies: ["Pipeline"],
            path: "Tests/Fixtures/DownloadProgram",
            packageAccess: false,
            swiftSettings: languageRules
        ),
        .testTarget(
            name: "PipelineTests",
            dependencies: ["DownloadProgram", "Pipeline", "PipelineTesting", "TestSupport"],
            swiftSettings: languageRules
        ),
        .testTarget(
            name: "PipelineActionsTests",
            dependencies: ["Pipeline", "PipelineActions", "PipelineTesting", "TestSupport"],
            swiftSettings: languageRules
        ),
        .testTarget(
            name: "PipelineTestingTests",
            dependencies: ["Pipeline", "PipelineActions", "PipelineTesting", "TestSupport"],
            swiftSettings: languageRules
        ),
        .testTarget(
            name: "ExamplesTests",
            dependencies: ["httpipe", "Downloader", "Pipeline", "PipelineActions", "PipelineTesting", "TestSupport"],
            swiftSettings: languageRules
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["Pipeline", "PipelineActions", "PipelineTesting", "TestSupport"],
            swiftSettings: languageRules
        ),
        // Disabled unless Scripts/interop runs it.
        .testTarget(
            name: "InteropTests",
            dependencies: ["Pipeline", "PipelineTesting", "TestSupport"],
            swiftSettings: languageRules
        ),
        // Disabled unless Scripts/network-namespace runs it.
        .testTarget(
            name: "NetworkNamespaceTests",
            dependencies: ["Pipeline", "PipelineTesting", "TestSupport"],
            swiftSettings: languageRules
        ),
        // Disabled unless Scripts/real-servers runs it.
        .testTarget(
            name: "RealServerTests",
            dependencies: ["httpipe", "Downloader", "Pipeline", "PipelineTesting", "TestSupport"],
            swiftSettings: languageRules
        ),
    ],
    swiftLanguageModes: [.v6]
)
