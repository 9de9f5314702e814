import Foundation

/// The server's initial data, and its storage.
package struct DemoData: Sendable {
  /// The database file; nil for the default.
  package var file: String?
  /// True to keep data only in memory.
  package var isInMemory: Bool
  /// The number of records in each main collection of new data; nil for the default.
  package var seed: Int?
  /// True to discard existing data.
  package var resets: Bool
  /// A JSON file that replaces data.
  package var imported: String?
  /// The variables that name the usual file's folder.
  private let environment: [String: String]

  package init(
    file: String? = nil, isInMemory: Bool = false, seed: Int? = nil, resets: Bool = false, imported: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    (self.file, self.isInMemory, self.seed, self.resets, self.imported) = (file, isInMemory, seed, resets, imported)
    self.environment = environment
  }

  /// Opens the database, and fills it if needed.
  func open(settings: Settings) throws -> DemoStore {
    let content = try imported.map(Self.content)
    let path = isInMemory ? nil : try file ?? standardFile()
    let store: DemoStore
    do {
      store = try path.map(DemoStore.file) ?? DemoStore.inMemory()
    } catch {
      throw StartError(sentence: "The data file \(path ?? "") cannot be opened: \(error)")
    }
    let isKept = try store.seed(dialects, count: seed, settings: settings, reset: resets)
    if isKept, seed != nil, let path {
      FileHandle.standardError.write(
        Data("switchboard-demo: \(path) keeps its data; --seed counts for new data, add --reset for that.\n".utf8))
    }
    if let content, let file = imported {
      do {
        try store.load(content, dialects: dialects, settings: settings)
      } catch let error as ImportError {
        throw StartError(sentence: "The file \(file) cannot be imported: \(error).")
      }
    }
    return store
  }

  private static func content(of file: String) throws -> DemoJSON {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw StartError(sentence: "The file \(file) given to --import cannot be read.")
    }
    do {
      return try DemoJSON(parsing: Array(data))
    } catch {
      throw StartError(sentence: "The file \(file) given to --import is not JSON: \(error).")
    }
  }

  /// The file in the user's data folder, which is created as private.
  private func standardFile() throws -> String {
    // The base directory specification requires relative paths to be ignored.
    let base =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
    let folder = base + "/switchboard"
    do {
      try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
      if !FileManager.default.fileExists(atPath: folder) {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
    } catch {
      throw StartError(sentence: "The folder \(folder) cannot be made; choose a file with --data, or use --memory.")
    }
    return folder + "/demo.sqlite"
  }
}

/// The reason why the server cannot start, in one sentence.
package struct StartError: Error, Sendable {
  package var sentence: String

  package init(sentence: String) { self.sentence = sentence }
}
