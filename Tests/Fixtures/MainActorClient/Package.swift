// swift-tools-version: 6.2

import PackageDescription

// Two clients as apps are set up today. Neither sets any of the library's upcoming features.
let pipeline: [Target.Dependency] = [
    .product(name: "Pipeline", package: "Pipeline"),
    .product(name: "PipelineActions", package: "Pipeline"),
]

let package = Package(
    name: "MainActorClient",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "Pipeline", path: "../../..")],
    targets: [
        .executableTarget(
            name: "MainActorClient",
            dependencies: pipeline,
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .executableTarget(
            name: "Swift5Client",
            dependencies: pipeline,
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
