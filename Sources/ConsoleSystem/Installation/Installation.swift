import BackendKit
import Files

/// The build of this console, and the place where it is installed.
public struct Installation: Sendable {
  /// The folder of the executable.
  public let folder: String

  /// The installation of an executable in a folder.
  public init(folder: String) { self.folder = folder }

  /// The build settings of this console's kit, as recorded in its stamp.
  package struct Stamp: Sendable {
    package var kit = ""
    package var compiler = ""
    package var machine = ""
    package var configuration = ""

    /// The parts of a stamp: `switchboard_stamp.kit.DIGEST.swift_6.3.1.MACHINE.CONFIGURATION.DIGEST`.
    init(_ text: String) {
      let parts = (text.split(separator: " ").first ?? "").split(separator: ".").map(String.init)
      guard parts.count >= 7 else { return }
      kit = parts[2]
      compiler = parts[3..<(parts.count - 3)].joined(separator: ".").replacing(text: "swift_", with: "Swift ")
      machine = parts[parts.count - 3]
      configuration = parts[parts.count - 2]
    }

    package static var own: Stamp { Stamp(BuildStamp.compiled().description) }
  }

  /// The packager's note that came with the console; empty if there is none.
  package struct Note: Sendable {
    package var commit: String?
    /// The included packages, with their versions.
    package var packages: [(name: String, version: String)] = []
  }

  /// The note next to the executable, `build.json`. An unreadable one counts as none.
  package var note: Note {
    guard case .success(let file)? = OwnedFile.read(folder + "/build.json"),
      let object = (try? JSONReader.read(file.bytes))?.object
    else { return Note() }
    let packages = object["packages"]?.object.map { Array($0.members) } ?? []
    return Note(
      commit: object["commit"]?.text,
      packages: packages.compactMap { name, version in version.text.map { (name, $0) } })
  }
}
