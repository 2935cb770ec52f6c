// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
// Pixel loops crawl without optimisation, so these targets are optimised in debug builds too.
let hotSwift: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]
let hotC: [CSetting] = [.unsafeFlags(["-O2"], .when(configuration: .debug))]
let hotCXX: [CXXSetting] = [
    .unsafeFlags(["-O2"], .when(configuration: .debug)),
    .unsafeFlags(["-O3"], .when(configuration: .release)),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
    name: "headroom",
    products: [
        .executable(name: "headroom", targets: ["HeadroomCLI"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // Starts programs in tests.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        // Reads files of settings, and openapi.yaml in tests.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // C libraries of the system, and the thin C that stands in front of them.
        .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CZimg", pkgConfig: "zimg", providers: [.apt(["libzimg-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // libcurl is linked with it, so it is there in any case.
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        // Without pkgConfig, for that of hiredis has a flag that SwiftPM refuses.
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
        .target(name: "CLinux"),
        .target(name: "CSandbox", dependencies: ["CLinux", "CSeccomp"]),
        .target(name: "CImageCodec", dependencies: ["CJPEG", "CPNG", "CWebP", "CZimg"], cSettings: hotC),
        .target(name: "CDlibHOG", cxxSettings: hotCXX, linkerSettings: [.linkedLibrary(":libdlib.a")]),

        .target(name: "CHOGDetector", cSettings: hotC),
        // Makes a table of dlib's frontal face detector while the package is built.
        .plugin(name: "EmbedFrontalWeights", capability: .buildTool(), dependencies: ["frontal-weights"]),
        .executableTarget(name: "frontal-weights", dependencies: ["CDlibHOG"], swiftSettings: house),

        // The house, innermost first.
        .target(name: "Framing", swiftSettings: house + [.strictMemorySafety()]),
        .target(name: "Saliency", dependencies: ["Framing"], swiftSettings: house + hotSwift),
        .target(
            name: "FaceDetection",
            dependencies: ["Framing", "CDlibHOG", "CHOGDetector"],
            swiftSettings: house,
            plugins: ["EmbedFrontalWeights"]
        ),
        .target(name: "ImageCodec", dependencies: ["Framing", "CImageCodec"], swiftSettings: house + hotSwift),
        .target(name: "Drawing", dependencies: ["Framing", "ImageCodec"], swiftSettings: house + hotSwift),
        .target(name: "DrawnFaces", dependencies: ["Framing"], swiftSettings: house + hotSwift),
        .target(name: "SystemLimits", swiftSettings: house),
        .target(name: "Isolation", dependencies: ["CSandbox"], swiftSettings: house),
        .target(name: "Admission", swiftSettings: house),
        .target(
            name: "FramePipeline",
            dependencies: [
                "Admission", "Framing", "FaceDetection", "ImageCodec", "Saliency", "Drawing", "Isolation", logging,
            ],
            swiftSettings: house
        ),
        .target(name: "ZIPArchive", dependencies: ["CZlib"], swiftSettings: house),
        .target(name: "SharedCache", dependencies: ["CHiredis", "CZlib", logging], swiftSettings: house),
        .target(name: "ImageSource", dependencies: ["Admission", "CCurl", "CLinux", logging], swiftSettings: house),
        .target(name: "HTTPServer", dependencies: ["CLinux", httpTypes, logging], swiftSettings: house),
        .target(name: "PrometheusMetrics", dependencies: [coreMetrics], swiftSettings: house),
        .target(name: "LogLines", dependencies: [logging], swiftSettings: house),
        .target(
            name: "HeadroomAPI",
            dependencies: [
                "Framing", "FaceDetection", "ImageCodec", "FramePipeline", "ImageSource", "HTTPServer", "ZIPArchive",
                "PrometheusMetrics", "SharedCache",
                "CCrypto", httpTypes, logging, metrics,
            ],
            resources: [.embedInCode("openapi.yaml")],
            swiftSettings: house
        ),
        .executableTarget(
            name: "HeadroomCLI",
            dependencies: [
                "CLinux", "Framing", "FaceDetection", "ImageCodec", "FramePipeline", "ImageSource", "HTTPServer",
                "HeadroomAPI", "Isolation", "DrawnFaces", "LogLines", "SharedCache", "SystemLimits",
                argumentParser, httpTypes, logging, yams,
            ],
            swiftSettings: house
        ),
        .executableTarget(
            name: "HeadroomPictures",
            dependencies: ["Framing", "FaceDetection", "ImageCodec", "FramePipeline", "HeadroomTesting"],
            swiftSettings: house
        ),

        // Tests.
        .target(
            name: "HeadroomTesting",
            dependencies: ["DrawnFaces", "Framing", "ImageCodec", "CImageCodec", "CWebP"],
            swiftSettings: house + hotSwift
        ),
        .target(name: "TestPacing", path: "Tests/TestPacing", swiftSettings: house),
        .target(
            name: "ExternalPrograms",
            dependencies: [subprocess],
            path: "Tests/ExternalPrograms",
            swiftSettings: house
        ),
        .testTarget(name: "FramingTests", dependencies: ["TestPacing", "Framing"], swiftSettings: house),
        .target(
            name: "CDlibFixtures",
            path: "Tests/CDlibFixtures",
            cxxSettings: hotCXX,
            linkerSettings: [.linkedLibrary(":libdlib.a")]
        ),
        .testTarget(
            name: "FaceDetectionTests",
            dependencies: [
                "TestPacing", "FaceDetection", "CHOGDetector", "HeadroomTesting", "Framing", "CDlibFixtures",
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "SaliencyTests",
            dependencies: ["Saliency", "Framing", "HeadroomTesting"],
            swiftSettings: house
        ),
        .testTarget(
            name: "ImageCodecTests",
            dependencies: ["TestPacing", "CImageCodec", "Framing", "ImageCodec", "HeadroomTesting"],
            swiftSettings: house
        ),
        .testTarget(
            name: "DrawingTests",
            dependencies: ["Drawing", "Framing", "HeadroomTesting", "ImageCodec"],
            swiftSettings: house
        ),
        .testTarget(
            name: "SharedCacheTests",
            dependencies: ["TestPacing", "SharedCache", "ExternalPrograms", "HeadroomTesting", logging],
            swiftSettings: house
        ),
        .testTarget(name: "ZIPArchiveTests", dependencies: ["ZIPArchive", "HeadroomTesting"], swiftSettings: house),
        .testTarget(name: "AdmissionTests", dependencies: ["Admission"], swiftSettings: house),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: ["PrometheusMetrics", metrics],
            swiftSettings: house
        ),
        .testTarget(name: "LogLinesTests", dependencies: ["LogLines", logging], swiftSettings: house),
        .testTarget(
            name: "ImageSourceTests",
            dependencies: ["TestPacing", "ImageSource", "HeadroomTesting"],
            swiftSettings: house
        ),
        .testTarget(
            name: "FramePipelineTests",
            dependencies: [
                "TestPacing", "FramePipeline", "HeadroomTesting", "Framing", "FaceDetection", "ImageCodec",
            ],
            swiftSettings: house
        ),
        .target(name: "CForbiddenCalls", path: "Tests/CForbiddenCalls"),
        // What a worker process must not do; the tests of isolation run it, and nothing else has it.
        .executableTarget(
            name: "faulty-worker",
            dependencies: [
                "CForbiddenCalls", "CSandbox", "FramePipeline", "FaceDetection", "Framing", "ImageCodec", "Isolation",
            ],
            path: "Tests/FaultyWorker",
            swiftSettings: house
        ),
        .testTarget(
            name: "IsolationTests",
            dependencies: [
                "TestPacing", "CDlibFixtures", "CForbiddenCalls", "FramePipeline", "FaceDetection", "Framing",
                "HeadroomAPI", "HeadroomTesting", "HTTPServer", "ImageCodec", "ImageSource", "Isolation",
                "faulty-worker", logging,
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "HeadroomAPITests",
            dependencies: [
                "TestPacing", "HeadroomAPI", "HeadroomTesting", "ExternalPrograms", "Framing", "FaceDetection",
                "ImageCodec",
                "FramePipeline", "ImageSource", "HTTPServer", "LogLines", "PrometheusMetrics", "SharedCache",
                "SystemLimits",
                httpTypes, logging, subprocess, yams,
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["TestPacing", "HTTPServer", "ExternalPrograms", httpTypes, logging, subprocess],
            swiftSettings: house
        ),
        .testTarget(name: "SystemLimitsTests", dependencies: ["SystemLimits"], swiftSettings: house),
        // These run the executable, so it has to be there.
        .testTarget(
            name: "HeadroomCLITests",
            dependencies: [
                "TestPacing", "HeadroomCLI", "HeadroomTesting", "ExternalPrograms", "Framing", "ImageCodec",
                subprocess,
            ],
            exclude: ["Snapshots"],
            swiftSettings: house
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu11,
    cxxLanguageStandard: .cxx17
)

// Benchmarks, which are no part of a normal build: `make bench`, or for one of them
// HEADROOM_BENCHMARKS=1 swift run -c release detection-benchmark
if Context.environment["HEADROOM_BENCHMARKS"] != nil {
    package.targets += [
        .executableTarget(
            name: "detection-benchmark",
            dependencies: ["FaceDetection", "CHOGDetector", "Framing", "HeadroomTesting"],
            path: "Benchmarks/Detection",
            exclude: ["README.md"],
            swiftSettings: house
        ),
        .executableTarget(
            name: "pipeline-benchmark",
            dependencies: ["FaceDetection", "FramePipeline", "Framing", "ImageCodec"],
            path: "Benchmarks/Pipeline",
            swiftSettings: house
        ),
        .executableTarget(
            name: "benchmark-pictures",
            dependencies: ["Framing", "HeadroomTesting", "ImageCodec"],
            path: "Benchmarks/Pictures",
            swiftSettings: house
        ),
    ]
}

// Fuzzers, which need sanitizers and libFuzzer: `make fuzz`.
if Context.environment["HEADROOM_FUZZERS"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Fuzzers/CLibFuzzer"),
        .executableTarget(
            name: "fuzzers",
            dependencies: [
                "CDlibFixtures", "CLibFuzzer", "FaceDetection", "FramePipeline", "Framing", "HTTPServer", "HeadroomAPI",
                "HeadroomTesting", "ImageCodec", "ImageSource", "SharedCache", httpTypes, logging,
            ],
            path: "Fuzzers/Fuzzers",
            swiftSettings: house
        ),
    ]
}
