import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files
import Glibc

extension Command {
  static let plugin = Command(
    "plugin", .connect, "Create the skeleton of a plugin, with tests",
    arguments: [.word("new"), .one(.free("PLUGIN"))], effects: .makesFolders,
    options: [
      OptionSyntax(
        "language", value: .oneOf(["swift", "python"]),
        help: "the language of the plugin: a library in Swift (default), or a program in Python"),
      OptionSyntax(
        "kit", value: .either([.file(.read, as: "PATH"), .free("ADDRESS")]),
        help: "where the packages BackendKit and BackendTesting are, for Swift"),
    ] + SharedOptions.format,
    details: [
      "The plugin is in the new folder switchboard-PLUGIN. PLUGIN consists of lowercase letters, digits and hyphens, and begins with a",
      "letter. A package in Swift depends on BackendKit and BackendTesting of the checkout in which the console was built, or on those of",
      "--kit. A program in Python depends on nothing, and comes with a small service to try it on.",
    ],
    examples: [
      Example(line: "plugin new notes", says: "a package switchboard-notes, ready for swift test"),
      Example(
        line: "plugin new tasks --language python", says: "a program that answers the questions of the console"),
      Example(
        line: "plugin new tags --kit https://git.example.org/kit",
        says: "with the packages that Scripts/publish-kit wrote"),
    ]
  ) { invocation, context in
    let name = try invocation.one(.free("PLUGIN")).text
    guard PluginName.isValid(name), name.first?.isLetter == true else {
      throw UsageError(
        "\"\(name)\" is not a valid plugin name",
        hint: "a name consists of lowercase letters, digits and hyphens, and begins with a letter")
    }
    if let there = context.targets.catalog.entries().first(where: { $0.name == name }) {
      throw UsageError("the plugin \(name) already exists: \(there.file)", hint: "choose another name")
    }
    try context.run.endRehearsal()
    let skeleton = PluginSkeleton(name: name, try SkeletonLanguage(context).chosen(invocation))
    try skeleton.write()
    try FactOutput(context).present(
      Object(facts: [
        ("action", "written"), ("folder", skeleton.folder), ("files", skeleton.files.map(\.path)),
      ]), invocation,
      text: "wrote \(skeleton.folder)\n" + skeleton.files.map { "  \($0.path)\n" as EscapedText }.joined())
    let test =
      switch skeleton.language {
      case .swift: "swift test"
      case .python: "python3 -m unittest"
      }
    context.tell("run \(test) in it to test it; its README.md explains the next steps")
  }
}

private struct SkeletonLanguage: CommandPart {
  let context: CommandContext

  /// The language of `--language`, and the packages that the plugin needs for it.
  func chosen(_ invocation: Invocation) throws(UsageError) -> PluginSkeleton.Language {
    let kit = invocation.value(of: "kit")
    guard invocation.value(of: "language") == "python" else {
      guard let kit else { return .swift(try findKit(), version: run.console.version) }
      return .swift(try KitPlace(kit), version: run.console.version)
    }
    guard kit == nil else {
      throw UsageError("--kit cannot be combined with --language python", hint: "a program needs no packages")
    }
    return .python
  }

  /// The packages of the checkout in which this console was built, or those installed with it.
  private func findKit() throws(UsageError) -> KitPlace {
    var folder = targets.catalog.searchPath.first?.path ?? "/"
    while folder != "/", folder != "." {
      for place in ["/Sources", "/share/switchboard/kit"]
      where access(folder + place + "/BackendKit/Package.swift", R_OK) == 0 { return try KitPlace(folder + place) }
      folder = Path.folder(of: folder)
    }
    throw UsageError(
      "the packages that plugins depend on are neither installed with this console nor found in its checkout",
      hint: "--kit names the folder or the address of the packages BackendKit and BackendTesting")
  }
}
