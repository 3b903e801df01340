// swift-tools-version: 6.2

import PackageDescription

let languageRules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    // Named, or a checkout would have to be in a folder of the package's name.
    dependencies: [.package(name: "Pipeline", path: "..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                .product(name: "Pipeline", package: "Pipeline"),
                .product(name: "PipelineActions", package: "Pipeline"),
            ],
            swiftSettings: languageRules
        )
    ],
    swiftLanguageModes: [.v6]
)
