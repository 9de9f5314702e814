import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

extension Command {
  static let about = Command(
    "about", .console, "Show version, compiler and libraries of the console, and where it looks for files",
    effects: [],
    options: SharedOptions.format,
    details: ["Missing libraries are listed with the features that need them."],
    examples: [Example(line: "about -o json", says: "for a bug report")]
  ) { invocation, context in
    let facts = AboutFacts(context)
    context.page()
    try FactOutput(context).present(facts.fields, invocation, text: facts.text)
  }
}

private struct AboutFacts {
  let version: String
  let stamp = Installation.Stamp.own
  let note: Installation.Note
  let folder: String
  let libraries: [LoadedLibrary]
  let missing: [SystemLibrary]
  let places: [(name: String, path: String)]

  init(_ context: CommandContext) {
    let installation = context.run.console.installation
    version = context.run.console.version
    note = installation.note
    folder = installation.folder
    let opened = SystemLibrary.all.map { ($0, $0.open()) }
    missing = opened.filter { !$0.1.isThere }.map(\.0)
    libraries = LoadedLibrary.all.map { library in
      var library = library
      library.said = opened.first { library.name.hasPrefix($0.0.name) }?.1.version
      return library
    }
    let user = UserFolders(environment: context.run.console.environment)
    var places: [(name: String, path: String)] = []
    if let configuration = user.configuration { places.append(("configuration", configuration + "/config.json")) }
    places += context.targets.catalog.searchPath.map { ("plugins", $0.path) }
    // The presets are part of the plugin that reads descriptions.
    if let rest = context.targets.catalog.entries().first(where: { $0.name == "rest" }) {
      places.append(("presets", rest.file))
    }
    if let state = user.state {
      places.append(("state", state))
      places.append(("journal", JournalFolder(state: state).file))
    }
    self.places = places
  }

  var fields: Object {
    Object(facts: [
      ("version", version), ("commit", note.commit), ("compiler", stamp.compiler), ("machine", stamp.machine),
      ("configuration", stamp.configuration), ("kit", stamp.kit), ("folder", folder),
      ("libraries", libraries.map { Object(facts: [("name", $0.name), ("version", $0.version), ("file", $0.file)]) }),
      ("missing", missing.map(\.name)), ("packages", Object(note.packages.map { ($0.name, .string($0.version)) })),
      ("places", places.map { Object(facts: [("name", $0.name), ("path", $0.path)]) }),
    ])
  }

  var text: EscapedText {
    let stamp = "\(stamp.compiler), \(stamp.machine), \(stamp.configuration)"
    var text: EscapedText = "switchboard \(version)\n"
    text += Columns.text(
      (note.commit.map { [["  commit", $0]] } ?? [])
        + [["  compiler", stamp], ["  kit", self.stamp.kit], ["  folder", folder]])
    text += "\nLibraries\n"
    text += Columns.text(
      libraries.map { ["  " + $0.name, $0.version ?? "", $0.file] }
        + missing.map { ["  " + $0.name, "missing", $0.loss] })
    if !note.packages.isEmpty {
      text += "\nPackages in it\n"
      text += Columns.text(note.packages.map { ["  " + $0.name, $0.version] })
    }
    text += "\nPlaces\n"
    return text + Columns.text(places.map { ["  " + $0.name, $0.path] })
  }
}
