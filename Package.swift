// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
// Pixel loops are slow without optimisation, so these targets are optimised in debug builds too.
let hotSwift: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]
// Specialises public generic types in the modules that use them for each request.
let sharedGenerics: [SwiftSetting] = [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]
// Disables fused multiply-add, which only some processors support, so that results are the same on all processors.
// C23's #embed embeds the weights.
let hotC: [CSetting] = [
    .unsafeFlags(["-O2"], .when(configuration: .debug)),
    .unsafeFlags(["-ffp-contract=off", "-Wno-c23-extensions"]),
]
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

/// The module map of a system library, in Sources/C/System.
func system(_ name: String, pkgConfig: String? = nil, debian: String) -> Target {
    .systemLibrary(
        name: name,
        path: "Sources/C/System/\(name)",
        pkgConfig: pkgConfig,
        providers: [.apt([debian])]
    )
}

/// The files of the playground, the page at `/`.
let playground = [
    "app.js", "cards.js", "clip-frames.js", "clip-plan.js", "clip.css", "clip.html", "clip.js", "controls.js",
    "copy.js",
    "drawing.js", "focal.js", "formats.js", "icon.svg", "image.js", "incoming.js", "index.html", "messages.js",
    "parameters.js", "parameters.md", "plan.js", "plan.md", "problems.md",
    "responses.md", "result.js", "scene.jpg", "service.js", "state.js", "style.css",
]

let package = Package(
    name: "headroom",
    products: [
        .executable(name: "headroom", targets: ["HeadroomMain"]),
        // The program as a library, for packages that add detectors: docs/detectors.md.
        .library(name: "HeadroomCLI", targets: ["HeadroomCLI"]),
        // The library for other programs: docs/library.md.
        .library(name: "HeadroomKit", targets: ["HeadroomKit"]),
    ],
    // Parts that a slim build omits: formats with their libraries (docs/formats.md), the weights of the networks
    // (docs/contributing/face-network.md), and the layers above the service (docs/contributing/architecture.md).
    traits: [
        .trait(name: "Addresses", description: "Serves addresses of other services, with --url-formats"),
        .trait(name: "AVIF", description: "Reads and writes AVIF, with libavif"),
        .trait(name: "Batch", description: "Has headroom batch and headroom work"),
        .trait(name: "HEIC", description: "Reads HEIC, with libde265"),
        .trait(name: "JPEGXL", description: "Reads JPEG XL, with libjxl"),
        .trait(name: "Subjects", description: "Finds people, animals and things with the network NanoDet-Plus"),
        .trait(name: "TIFF", description: "Reads TIFF, with libtiff"),
        .trait(name: "Video", description: "Has headroom reframe, and serves live streams"),
        .trait(name: "YuNet", description: "Finds faces with the network YuNet as well as with dlib's HOG"),
        .default(enabledTraits: ["Addresses", "AVIF", "Batch", "HEIC", "JPEGXL", "Subjects", "TIFF", "Video", "YuNet"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // Starts programs in tests.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // C libraries of the system.
        system("CJPEG", pkgConfig: "libjpeg", debian: "libjpeg62-turbo-dev"),
        system("CPNG", pkgConfig: "libpng", debian: "libpng-dev"),
        system("CDeflate", pkgConfig: "libdeflate", debian: "libdeflate-dev"),
        system("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
        system("CWebP", pkgConfig: "libwebp", debian: "libwebp-dev"),
        // pkgConfig is omitted, because the pkg-config files of libavif and libjxl contain flags that SwiftPM rejects.
        system("CAVIF", debian: "libavif-dev"),
        system("CJXL", debian: "libjxl-dev"),
        system("CTIFF", pkgConfig: "libtiff-4", debian: "libtiff-dev"),
        system("CDE265", pkgConfig: "libde265", debian: "libde265-dev"),
        // pkgConfig is omitted, because giflib has no pkg-config file.
        system("CGIF", debian: "libgif-dev"),
        system("CZimg", pkgConfig: "zimg", debian: "libzimg-dev"),
        system("CLCMS2", pkgConfig: "lcms2", debian: "liblcms2-dev"),
        system("CCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
        // libcurl depends on these libraries, so they are always installed.
        system("CBrotli", pkgConfig: "libbrotlidec", debian: "libbrotli-dev"),
        system("CCrypto", pkgConfig: "libcrypto", debian: "libssl-dev"),
        system("CIDN2", pkgConfig: "libidn2", debian: "libidn2-dev"),
        system("CZstandard", pkgConfig: "libzstd", debian: "libzstd-dev"),
        system("CSeccomp", pkgConfig: "libseccomp", debian: "libseccomp-dev"),
        // pkgConfig is omitted, because the pkg-config file of hiredis contains a flag that SwiftPM rejects.
        system("CHiredis", debian: "libhiredis-dev"),
        system("CYAML", pkgConfig: "yaml-0.1", debian: "libyaml-dev"),

        // Our own C and C++: thin wrappers around the libraries above, and the kernels of the detector.
        .target(name: "CLinux", path: "Sources/C/CLinux"),
        .target(name: "CSupervisor", dependencies: ["CLinux"], path: "Sources/C/CSupervisor"),
        .target(
            name: "CTLS",
            path: "Sources/C/CTLS",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]
        ),
        .target(name: "CSandbox", dependencies: ["CLinux", "CSeccomp"], path: "Sources/C/CSandbox"),
        .target(
            name: "CImageCodec",
            dependencies: [
                "CDeflate", "CGIF", "CJPEG", "CLCMS2", "CPNG", "CWebP", "CZimg",
                .target(name: "CAVIF", condition: .when(traits: ["AVIF"])),
                .target(name: "CDE265", condition: .when(traits: ["HEIC"])),
                .target(name: "CJXL", condition: .when(traits: ["JPEGXL"])),
                .target(name: "CTIFF", condition: .when(traits: ["TIFF"])),
            ],
            path: "Sources/C/CImageCodec",
            cSettings: hotC + [
                .headerSearchPath("Colour"), .headerSearchPath("JPEG"), .headerSearchPath("Planes"),
                .define("HR_AVIF", .when(traits: ["AVIF"])),
                .define("HR_HEIC", .when(traits: ["HEIC"])),
                .define("HR_JPEGXL", .when(traits: ["JPEGXL"])),
                .define("HR_TIFF", .when(traits: ["TIFF"])),
            ],
            linkerSettings: [
                .linkedLibrary("gif"),
                .linkedLibrary("webpmux"),
                .linkedLibrary("avif", .when(traits: ["AVIF"])),
                .linkedLibrary("jxl", .when(traits: ["JPEGXL"])),
            ]
        ),
        .target(
            name: "CDlibHOG",
            path: "Sources/C/CDlibHOG",
            cxxSettings: hotCXX,
            linkerSettings: [.linkedLibrary(":libdlib.a")]
        ),
        .target(
            name: "CHOGDetector",
            path: "Sources/C/CHOGDetector",
            exclude: ["frontal.dat"],
            cSettings: hotC + [.headerSearchPath("."), .headerSearchPath("Features"), .headerSearchPath("Kernels")]
        ),
        .target(
            name: "CLandmarks",
            dependencies: ["CHOGDetector"],
            path: "Sources/C/CLandmarks",
            exclude: ["landmarks.dat", "landmarks-network.dat"],
            cSettings: hotC,
            linkerSettings: [.linkedLibrary("m")]
        ),
        .target(
            name: "CFaceNet",
            dependencies: ["CHOGDetector"],
            path: "Sources/C/CFaceNet",
            exclude: ["facenet.dat", "subjects.dat"],
            cSettings: hotC + [
                .headerSearchPath("."), .headerSearchPath("Kernels"),
                .define("HR_SUBJECTS", .when(traits: ["Subjects"])), .define("HR_YUNET", .when(traits: ["YuNet"])),
            ],
            linkerSettings: [.linkedLibrary("m")]
        ),

        // The Swift targets of the program, lowest layer first.
        .target(name: "UntrustedText", path: "Sources/Support/UntrustedText", swiftSettings: house + hotSwift),
        .target(name: "TotalFunctions", path: "Sources/Support/TotalFunctions", swiftSettings: house + hotSwift),
        .target(
            name: "Geometry",
            dependencies: ["TotalFunctions"],
            path: "Sources/Core/Geometry",
            swiftSettings: house + [.strictMemorySafety()]
        ),
        .target(
            name: "Framing",
            dependencies: ["Geometry", "TotalFunctions"],
            path: "Sources/Core/Framing",
            swiftSettings: house + hotSwift + [.strictMemorySafety()]
        ),
        .target(
            name: "Motion",
            dependencies: ["Framing", "Geometry"],
            path: "Sources/Core/Motion",
            swiftSettings: house + hotSwift + [.strictMemorySafety()]
        ),
        .target(
            name: "FaceDetection",
            dependencies: ["Geometry", "CDlibHOG", "CFaceNet", "CHOGDetector", "CLandmarks"],
            path: "Sources/Core/FaceDetection",
            swiftSettings: house
        ),
        .target(
            name: "SubjectDetection",
            dependencies: ["CFaceNet", "CHOGDetector", "FaceDetection", "Framing", "Geometry"],
            path: "Sources/Core/SubjectDetection",
            swiftSettings: house
        ),
        .target(
            name: "Imaging",
            dependencies: ["Geometry", "CImageCodec", "UntrustedText"],
            path: "Sources/Core/Imaging",
            swiftSettings: house + hotSwift
        ),
        .target(name: "BinaryCoding", path: "Sources/Support/BinaryCoding", swiftSettings: house),
        .target(name: "Admission", path: "Sources/Support/Admission", swiftSettings: house),
        .target(
            name: "Pipeline",
            dependencies: [
                "Admission", "BinaryCoding", "FaceDetection", "Framing", "Geometry", "Imaging", "Motion",
                "SubjectDetection",
            ],
            path: "Sources/Core/Pipeline",
            swiftSettings: house
        ),
        .target(name: "Threads", path: "Sources/Support/Threads", swiftSettings: house),
        .target(name: "YAML", dependencies: ["CYAML"], path: "Sources/Support/YAML", swiftSettings: house),
        .target(
            name: "SystemLimits",
            dependencies: ["CLinux"],
            path: "Sources/Support/SystemLimits",
            swiftSettings: house
        ),
        .target(
            name: "Workers",
            dependencies: [
                "Admission", "BinaryCoding", "CLinux", "CSandbox", "FaceDetection", "Framing", "Geometry", "Imaging",
                "Pipeline", "SystemLimits", "Threads", logging,
            ],
            path: "Sources/Core/Workers",
            swiftSettings: house
        ),
        .target(
            name: "HTTPServer",
            dependencies: ["Admission", "CLinux", "Encodings", "TotalFunctions", "UntrustedText", httpTypes, logging],
            path: "Sources/Service/HTTPServer",
            swiftSettings: house
        ),
        .target(
            name: "Cryptography",
            dependencies: ["CCrypto"],
            path: "Sources/Support/Cryptography",
            swiftSettings: house
        ),
        .target(name: "Encodings", path: "Sources/Support/Encodings", swiftSettings: house),
        .target(
            name: "Decompression",
            dependencies: ["CBrotli", "CZlib", "CZstandard"],
            path: "Sources/Support/Decompression",
            swiftSettings: house
        ),
        .target(
            name: "Fetching",
            dependencies: [
                "Admission", "CCurl", "CIDN2", "CLinux", "Cryptography", "CTLS", "Decompression", "Encodings",
                "TotalFunctions", "UntrustedText", logging,
            ],
            path: "Sources/Service/Fetching",
            swiftSettings: house
        ),
        .target(
            name: "Caching",
            dependencies: ["CHiredis", "CLinux", "Cryptography", "CTLS", "CZlib", "Encodings", logging],
            path: "Sources/Service/Caching",
            swiftSettings: house + sharedGenerics
        ),
        .target(
            name: "Telemetry",
            dependencies: ["Encodings", "Threads", coreMetrics, logging],
            path: "Sources/Service/Telemetry",
            swiftSettings: house
        ),
        .target(
            name: "Requests",
            dependencies: [
                "Encodings", "FaceDetection", "Framing", "Geometry", "Imaging", "Pipeline", "TotalFunctions",
                "UntrustedText",
            ],
            path: "Sources/Core/Requests",
            swiftSettings: house
        ),
        .target(
            name: "HeadroomKit",
            dependencies: [
                "FaceDetection", "Framing", "Geometry", "Imaging", "Pipeline", "Requests", "SystemLimits", "Workers",
                logging,
            ],
            path: "Sources/Core/HeadroomKit",
            swiftSettings: house
        ),
        .target(
            name: "HeadroomAPI",
            dependencies: [
                "Admission", "BinaryCoding", "Caching", "CLinux", "Cryptography", "CZlib", "Decompression", "Encodings",
                "FaceDetection",
                "Fetching",
                "Framing", "Geometry", "HTTPServer", "Imaging", "Pipeline", "Requests", "Telemetry", "TotalFunctions",
                "UntrustedText", "Workers",
                httpTypes,
                logging, metrics,
            ],
            path: "Sources/Service/HeadroomAPI",
            resources: [.embedInCode("openapi.yaml")] + playground.map { .embedInCode("Playground/\($0)") },
            swiftSettings: house
        ),
        .target(
            name: "Addresses",
            dependencies: [
                "Cryptography", "Encodings", "Fetching", "Framing", "Geometry", "HeadroomAPI", "Imaging", "Pipeline",
                "Requests", "TotalFunctions", "UntrustedText", httpTypes,
            ],
            path: "Sources/Addresses",
            swiftSettings: house
        ),
        .target(
            name: "Video",
            dependencies: [
                "Admission", "BinaryCoding", "CLinux", "Encodings", "FaceDetection", "Fetching", "Framing", "Geometry",
                "HeadroomAPI", "HTTPServer", "Imaging", "Motion", "Pipeline", "Requests", "Telemetry", "Threads",
                "TotalFunctions", "UntrustedText", "Workers", httpTypes, logging, metrics,
            ],
            path: "Sources/Video",
            swiftSettings: house + hotSwift
        ),
        .target(
            name: "Batch",
            dependencies: [
                "Admission", "Caching", "CLinux", "Cryptography", "CZlib", "Encodings", "Fetching", "Geometry",
                "HeadroomAPI", "Imaging", "Pipeline", "Requests", "UntrustedText", "Workers",
            ],
            path: "Sources/Batch/Batch",
            swiftSettings: house
        ),
        .target(
            name: "JobPipe",
            dependencies: ["Admission", "HeadroomAPI", "Pipeline", "Requests", "UntrustedText", httpTypes],
            path: "Sources/Batch/JobPipe",
            swiftSettings: house
        ),
        .target(
            name: "HeadroomCLI",
            dependencies: [
                "Admission", "Caching", "CLinux", "Cryptography", "CSupervisor", "Encodings", "FaceDetection",
                "Fetching", "Framing", "Geometry", "HeadroomAPI", "HTTPServer", "Imaging", "Motion", "Pipeline",
                "Requests", "SystemLimits",
                "Telemetry",
                "Threads", "Workers", "YAML", argumentParser, httpTypes, logging,
                .target(name: "Addresses", condition: .when(traits: ["Addresses"])),
                .target(name: "Batch", condition: .when(traits: ["Batch"])),
                .target(name: "JobPipe", condition: .when(traits: ["Batch"])),
                .target(name: "Video", condition: .when(traits: ["Video"])),
            ],
            path: "Sources/Program/HeadroomCLI",
            swiftSettings: house
        ),
        .executableTarget(
            name: "HeadroomMain",
            dependencies: ["HeadroomCLI"],
            path: "Sources/Program/HeadroomMain",
            swiftSettings: house
        ),

        // Draws the images of the documentation.
        .executableTarget(
            name: "DocumentationImages",
            dependencies: ["FaceDetection", "Framing", "Geometry", "Imaging", "Pipeline", "TestImages", "Workers"],
            path: "Tools/DocumentationImages",
            swiftSettings: house
        ),

        // Trains the landmark weights: make landmarks.
        .target(
            name: "CLandmarkTrainer",
            dependencies: ["CLandmarks"],
            path: "Sources/C/CLandmarkTrainer",
            cxxSettings: hotCXX + [.headerSearchPath("../CLandmarks")],
            linkerSettings: [.linkedLibrary(":libdlib.a")]
        ),
        .executableTarget(
            name: "landmark-trainer",
            dependencies: [
                "CLandmarkTrainer", "CLandmarks", "FaceDetection", "Geometry", "Imaging", "Pipeline", "Workers",
            ],
            path: "Tools/LandmarkTrainer",
            swiftSettings: house
        ),

        // Code that tests share.
        .target(
            name: "TestImages",
            dependencies: ["CImageCodec", "CWebP", "Framing", "Geometry", "Imaging"],
            path: "Tests/Support/Images",
            swiftSettings: house + hotSwift
        ),
        .target(
            name: "TestRedaction",
            dependencies: ["FaceDetection", "Geometry", "Imaging", "TestImages"],
            path: "Tests/Support/Redaction",
            swiftSettings: house + hotSwift
        ),
        .target(name: "TestHTTP", dependencies: [httpTypes], path: "Tests/Support/HTTP", swiftSettings: house),
        .target(
            name: "TestPacing",
            dependencies: ["Admission"],
            path: "Tests/Support/Pacing",
            swiftSettings: house
        ),
        .target(
            name: "TestPrograms",
            dependencies: ["TestPacing", subprocess],
            path: "Tests/Support/Programs",
            swiftSettings: house
        ),
        .target(
            name: "CDlibFixtures",
            path: "Tests/Support/DlibFixtures",
            cxxSettings: hotCXX,
            linkerSettings: [.linkedLibrary(":libdlib.a")]
        ),
        .target(
            name: "TestAddresses",
            dependencies: ["Addresses", "HeadroomAPI", "Requests"],
            path: "Tests/Support/Addresses",
            swiftSettings: house + hotSwift
        ),
        .target(name: "CForbiddenCalls", path: "Tests/Support/ForbiddenCalls"),
        .target(name: "CWithoutIPv6", path: "Tests/Support/WithoutIPv6"),
        // Decodes damaged files in memory that is filled with a given byte, for tests that compare the images for
        // different bytes.
        .executableTarget(
            name: "decode-digests",
            dependencies: ["CImageCodec", "Imaging", "TestImages"],
            path: "Tests/Support/DecodeDigests",
            swiftSettings: house
        ),
        // A worker process that misbehaves, for the tests of worker processes.
        .executableTarget(
            name: "faulty-worker",
            dependencies: [
                "BinaryCoding", "CForbiddenCalls", "CSandbox", "FaceDetection", "Framing", "Geometry", "Imaging",
                "Pipeline", "Workers",
            ],
            path: "Tests/Support/FaultyWorker",
            swiftSettings: house
        ),

        // Tests.
        .testTarget(
            name: "UntrustedTextTests",
            dependencies: ["TestPacing", "UntrustedText"],
            swiftSettings: house
        ),
        .testTarget(name: "TotalFunctionsTests", dependencies: ["TotalFunctions"], swiftSettings: house),
        .testTarget(name: "GeometryTests", dependencies: ["Geometry", "TestPacing"], swiftSettings: house),
        .testTarget(
            name: "FramingTests",
            dependencies: ["Framing", "Geometry", "TestPacing", "TestImages"],
            swiftSettings: house
        ),
        .testTarget(
            name: "MotionTests",
            dependencies: ["Framing", "Geometry", "Motion", "TestPacing"],
            swiftSettings: house
        ),
        .testTarget(
            name: "FaceDetectionTests",
            dependencies: [
                "CDlibFixtures", "CDlibHOG", "CHOGDetector", "CLandmarks", "FaceDetection", "Geometry", "Imaging",
                "TestPacing", "TestImages",
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "SubjectDetectionTests",
            dependencies: [
                "CFaceNet", "CHOGDetector", "FaceDetection", "Framing", "Geometry", "SubjectDetection", "TestPacing",
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "ImagingTests",
            dependencies: [
                "CImageCodec", "CLinux", "Geometry", "Imaging", "TestPacing", "TestImages", "TestPrograms",
                "decode-digests", subprocess,
            ],
            swiftSettings: house
        ),
        .testTarget(name: "CryptographyTests", dependencies: ["Cryptography", "Encodings"], swiftSettings: house),
        .testTarget(name: "EncodingsTests", dependencies: ["Encodings"], swiftSettings: house),
        .testTarget(name: "BinaryCodingTests", dependencies: ["BinaryCoding"], swiftSettings: house),
        .testTarget(name: "AdmissionTests", dependencies: ["Admission", "TestPacing"], swiftSettings: house),
        .testTarget(
            name: "PipelineTests",
            dependencies: [
                "Admission", "BinaryCoding", "FaceDetection", "Framing", "Geometry", "Imaging", "Motion", "Pipeline",
                "SubjectDetection", "TestPacing", "TestImages", "TestRedaction", "Workers",
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "VideoTests",
            dependencies: [
                "Admission", "BinaryCoding", "FaceDetection", "Framing", "Geometry", "Imaging", "Motion", "Pipeline",
                "TestPacing", "TestImages", "Video", "Workers",
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "WorkersTests",
            dependencies: [
                "BinaryCoding", "CDlibFixtures", "CForbiddenCalls", "CSandbox", "FaceDetection", "Fetching", "Framing",
                "Geometry", "HeadroomAPI", "HTTPServer", "Imaging", "Pipeline", "Requests", "TestHTTP", "TestPacing",
                "TestImages", "Workers",
                "faulty-worker", logging,
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "Admission", "CLinux", "CWithoutIPv6", "HTTPServer", "TestHTTP", "TestPacing", "TestPrograms",
                httpTypes,
                logging,
                subprocess,
            ],
            swiftSettings: house
        ),
        .testTarget(name: "DecompressionTests", dependencies: ["Decompression"], swiftSettings: house),
        .testTarget(
            name: "FetchingTests",
            dependencies: [
                "Admission", "Cryptography", "CZlib", "Encodings", "Fetching", "TestHTTP", "TestPacing",
                "TestPrograms", httpTypes,
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "CachingTests",
            dependencies: ["Caching", "TestHTTP", "TestPacing", "TestImages", "TestPrograms", logging],
            swiftSettings: house
        ),
        .testTarget(name: "TelemetryTests", dependencies: ["Telemetry", logging, metrics], swiftSettings: house),
        .testTarget(
            name: "RequestsTests",
            dependencies: [
                "Framing", "Geometry", "Imaging", "Pipeline", "Requests", "TestAddresses", "TestPacing",
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "HeadroomKitTests",
            dependencies: ["HeadroomKit", "Imaging", "TestPacing", "TestImages"],
            swiftSettings: house
        ),
        .testTarget(
            name: "AddressesTests",
            dependencies: [
                "Addresses", "Cryptography", "Encodings", "Geometry", "HeadroomAPI", "Imaging", "Requests",
                "TestAddresses",
                "TestPacing",
                httpTypes,
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "HeadroomAPITests",
            dependencies: [
                "Addresses", "Admission", "BinaryCoding", "Caching", "Cryptography", "Encodings", "FaceDetection",
                "Fetching", "Framing", "Geometry",
                "HeadroomAPI", "HTTPServer", "Imaging", "Pipeline", "Requests", "Telemetry", "TestHTTP", "TestPacing",
                "SystemLimits", "TestImages", "TestPrograms", "TestRedaction", "Video", "Workers", "YAML", httpTypes,
                logging, subprocess,
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "BatchTests",
            dependencies: [
                "Batch", "FaceDetection", "Fetching", "Geometry", "Imaging", "Pipeline", "Requests", "TestHTTP",
                "TestPacing", "TestImages", "Workers", httpTypes,
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "JobPipeTests",
            dependencies: [
                "FaceDetection", "Fetching", "Geometry", "HeadroomAPI", "HTTPServer", "Imaging", "JobPipe", "Pipeline",
                "Requests", "TestHTTP", "TestPacing", "TestImages", "Workers", httpTypes, logging,
            ],
            swiftSettings: house
        ),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: house),
        .testTarget(name: "YAMLTests", dependencies: ["YAML"], swiftSettings: house),
        .testTarget(name: "SystemLimitsTests", dependencies: ["SystemLimits"], swiftSettings: house),
        // The program of the example package, for tests. A separate target is needed, because a package cannot depend
        // on a package inside its folder.
        .executableTarget(
            name: "bright-spot",
            dependencies: ["HeadroomCLI"],
            path: "Examples/BrightSpot/Sources/BrightSpot",
            swiftSettings: house
        ),
        // These tests run the executables, so the executables are dependencies.
        .testTarget(
            name: "HeadroomCLITests",
            dependencies: [
                "Framing", "Geometry", "HeadroomAPI", "HeadroomCLI", "HeadroomMain", "Imaging", "Requests", "TestHTTP",
                "TestPacing", "TestImages", "TestPrograms", "Video", "bright-spot", subprocess,
            ],
            exclude: ["Snapshots"],
            swiftSettings: house
        ),

        // Benchmarks: `make bench`, or for a single benchmark
        // swift run -c release --static-swift-stdlib detection-benchmark
        .executableTarget(
            name: "detection-benchmark",
            dependencies: ["CHOGDetector", "FaceDetection", "Geometry", "Imaging", "TestImages"],
            path: "Benchmarks/Detection",
            exclude: ["README.md"],
            swiftSettings: house
        ),
        .executableTarget(
            name: "quality-benchmark",
            dependencies: ["Geometry", "Imaging", "TestImages"],
            path: "Benchmarks/Quality",
            swiftSettings: house
        ),
        .executableTarget(
            name: "pipeline-benchmark",
            dependencies: ["FaceDetection", "Framing", "Geometry", "Imaging", "Pipeline", "Workers"],
            path: "Benchmarks/Pipeline",
            swiftSettings: house
        ),
        .executableTarget(
            name: "framing-benchmark",
            dependencies: ["FaceDetection", "Framing", "Geometry", "Imaging", "Pipeline"],
            path: "Benchmarks/Framing",
            swiftSettings: house
        ),
        .executableTarget(
            name: "benchmark-images",
            dependencies: ["Framing", "Geometry", "Imaging", "TestImages"],
            path: "Benchmarks/Images",
            swiftSettings: house
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu11,
    cxxLanguageStandard: .cxx17
)

// Fuzzers, which need sanitizers and libFuzzer: `make fuzz`.
if Context.environment["HEADROOM_FUZZERS"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Fuzzers/CLibFuzzer"),
        .target(name: "CWork", path: "Fuzzers/CWork"),
        .executableTarget(
            name: "fuzzers",
            dependencies: [
                "Addresses", "Admission", "Batch", "BinaryCoding", "Caching", "CDlibFixtures", "CImageCodec",
                "CLibFuzzer",
                "CWork", "Encodings",
                "FaceDetection", "Fetching", "Framing", "Geometry", "HeadroomAPI", "HeadroomCLI", "HTTPServer",
                "Imaging",
                "CFaceNet", "CHOGDetector", "JobPipe", "Pipeline", "Requests", "SubjectDetection", "Telemetry",
                "TestAddresses", "TestImages", "Video", "Workers", httpTypes, logging,
            ],
            path: "Fuzzers/Fuzzers",
            swiftSettings: house
        ),
    ]
}
