// swift-tools-version: 6.2
import PackageDescription

let kit = Target.Dependency.product(name: "HeadroomKit", package: "headroom")

let package = Package(
    name: "Library",
    dependencies: [.package(name: "headroom", path: "../..")],
    targets: [
        .executableTarget(name: "CropCommand", dependencies: [kit]),
        .executableTarget(name: "CropServer", dependencies: [kit]),
    ],
    swiftLanguageModes: [.v6]
)
