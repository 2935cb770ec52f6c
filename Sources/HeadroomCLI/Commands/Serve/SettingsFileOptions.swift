import ArgumentParser

/// The option for the settings file, shared by all commands that read it.
struct SettingsFileOptions: ParsableArguments {
    @Option(Settings.config) var config: String?
}
