import PackagePlugin

/// Generates a table in Swift source from the frontal face detector in dlib's header.
///
/// Decoding it at run time would take 0.2 seconds at each start.
@main
struct EmbedFrontalWeights: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let table = context.pluginWorkDirectoryURL.appending(path: "FrontalWeights.swift")
        return [
            .buildCommand(
                displayName: "Reading dlib's frontal face detector",
                executable: try context.tool(named: "frontal-weights").url,
                arguments: [table.path],
                outputFiles: [table]
            )
        ]
    }
}
