// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "BrightSpot",
    dependencies: [.package(name: "headroom", path: "../..")],
    targets: [
        .executableTarget(name: "BrightSpot", dependencies: [.product(name: "HeadroomCLI", package: "headroom")])
    ],
    swiftLanguageModes: [.v6]
)
