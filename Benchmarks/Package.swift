// swift-tools-version: 6.2

import PackageDescription

let languageRules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    // Named, or a checkout would have to be in a folder of the package's name.
    dependencies: [.package(name: "Pipeline", path: "..")],
    targets: [
        // Counts what the whole process takes from the heap; it has to be in the executable to stand before the C library.
        .target(name: "AllocationCounter"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "AllocationCounter",
                .product(name: "Pipeline", package: "Pipeline"),
                .product(name: "PipelineActions", package: "Pipeline"),
                .product(name: "PipelineTesting", package: "Pipeline"),
            ],
            swiftSettings: languageRules
        ),
    ],
    swiftLanguageModes: [.v6]
)
