public import BackendKit

/// The text of a description, in YAML or JSON.
public enum DescriptionText {
  /// The maximum size of a text.
  public struct Limits: Sendable {
    /// The maximum number of bytes.
    public var bytes: Int
    /// The maximum number of values in YAML, with aliases expanded.
    public var values: Int
    /// The maximum number of aliases in YAML.
    public var aliases: Int

    /// The limits for a description.
    public static let description = Limits(bytes: 4 << 20, values: 200_000, aliases: 100)
    /// The limits for a document in which a service describes itself.
    public static let document = Limits(bytes: 64 << 20, values: 1_000_000, aliases: 100_000)
  }

  /// Parses a text: as JSON if the name of its file ends in `.json`, otherwise as YAML.
  public static func read(
    _ bytes: [UInt8], file: String, limits: Limits = .description
  ) throws(Mistakes) -> Node {
    do throws(Mistake) {
      guard bytes.count <= limits.bytes else {
        throw Mistake(Place(file: file), "it is longer than \(limits.bytes >> 20) MiB")
      }
      return file.lowercased().hasSuffix(".json")
        ? try json(bytes, file) : try YAMLReader.read(bytes, file: file, limits: limits)
    } catch { throw Mistakes([error]) }
  }

  /// Parses YAML without keeping the places of its values.
  public static func value(of bytes: [UInt8], file: String, limits: Limits) throws(Mistakes) -> Value {
    do throws(Mistake) {
      return try YAMLReader.read(bytes, file: file, limits: limits, keepsPlaces: false).value
    } catch { throw Mistakes([error]) }
  }

  private static func json(_ bytes: [UInt8], _ file: String) throws(Mistake) -> Node {
    do { return Node(try LocatingScanner.scan(bytes, limits: JSONReader.Limits(depth: Node.depth)), file: file) } catch
    {
      throw Mistake(
        Place(file: file, line: error.place.line, column: error.place.column, path: error.path), error.message,
        hint: error.hint)
    }
  }
}
