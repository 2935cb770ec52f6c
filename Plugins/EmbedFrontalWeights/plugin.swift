import PackagePlugin

/// Turns the frontal face detector that dlib carries in its header into a table of Swift source, so that a program need
/// not decode it, which takes 0.2 seconds, whenever it starts.
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
