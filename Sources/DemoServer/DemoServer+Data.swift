import Foundation

extension DemoServer {
  /// Opens the data that the options ask for, and fills what is to be filled.
  static func filledStore(_ options: Options, settings: Settings) throws -> DemoStore {
    let imported = try options.importFile.map(importedData)
    let path = options.memory ? nil : try options.data ?? standardDataFile()
    let store: DemoStore
    do {
      store = try path.map(DemoStore.file) ?? DemoStore.inMemory()
    } catch {
      throw StartError(sentence: "The data file \(path ?? "") cannot be opened: \(error)")
    }
    let isKept = try store.seed(dialects, count: options.seed, settings: settings, reset: options.reset)
    if isKept, options.seed != nil, let path {
      FileHandle.standardError.write(
        Data("switchboard-demo: \(path) keeps its data; --seed counts for new data, add --reset for that.\n".utf8))
    }
    if let imported, let file = options.importFile {
      do {
        try store.load(imported, dialects: dialects, settings: settings)
      } catch let error as ImportError {
        throw StartError(sentence: "The file \(file) cannot be imported: \(error).")
      }
    }
    return store
  }

  private static func importedData(_ file: String) throws -> DemoJSON {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw StartError(sentence: "The file \(file) given to --import cannot be read.")
    }
    do {
      return try DemoJSON(parsing: Array(data))
    } catch {
      throw StartError(sentence: "The file \(file) given to --import is not JSON: \(error).")
    }
  }

  /// The file in the user's data folder; the folder is made, for the user alone.
  private static func standardDataFile() throws -> String {
    let environment = ProcessInfo.processInfo.environment
    // The base directory specification has relative paths ignored.
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
