import BackendKit

/// The text of a description, as YAML or as JSON.
public enum DescriptionText {
  /// The longest, in bytes.
  public static let limit = 4 << 20

  /// The tree of a text; one whose file's name ends in `.json` is JSON, any other is YAML.
  public static func read(_ bytes: [UInt8], file: String) throws(Mistakes) -> Node {
    do throws(Mistake) {
      guard bytes.count <= limit else {
        throw Mistake(Place(file: file), "it is longer than \(limit >> 20) MiB")
      }
      return file.lowercased().hasSuffix(".json") ? try json(bytes, file) : try YAMLReader.read(bytes, file: file)
    } catch { throw Mistakes([error]) }
  }

  private static func json(_ bytes: [UInt8], _ file: String) throws(Mistake) -> Node {
    do { return Node(try PlacedScanner.scan(bytes, limits: JSONReader.Limits(depth: Node.depth)), file: file) } catch {
      throw Mistake(
        Place(file: file, line: error.place.line, column: error.place.column, path: error.path), error.message,
        hint: error.hint)
    }
  }
}
