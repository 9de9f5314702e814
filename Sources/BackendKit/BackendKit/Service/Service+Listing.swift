extension Service {
  /// The request for a list: its method, and the place of conditions, order and page in it.
  public struct Listing: Sendable {
    /// The part of a request that carries its parameters.
    public enum Carrier: Sendable, Hashable {
      /// In parameters of the query, one each.
      case parameters
      /// In a JSON object that is the body.
      case body
      /// In an object that is the value of this parameter.
      case parameter(String, Encoding)
    }

    /// The encoding of an object in a parameter.
    public enum Encoding: String, Sendable, Hashable, CaseIterable {
      /// As JSON.
      case json
      /// As Rison: `(page:0,filters:!((col:name)))`.
      case rison
    }

    /// The method.
    public var method: String
    /// The part of the request that carries its parameters.
    public var carrier: Carrier
    /// Segments of the path after the resource's.
    public var path: [String]
    /// Members that every object includes.
    public var members: Object
    /// True if a POST request may be sent again after its response was lost.
    public var isRepeatable: Bool

    /// A list by GET, with parameters.
    public init(
      method: String = "GET", carrier: Carrier = .parameters, path: [String] = [], members: Object = Object(),
      isRepeatable: Bool = false
    ) {
      self.method = method
      self.carrier = carrier
      self.path = path
      self.members = members
      self.isRepeatable = isRepeatable
    }

    /// True if a response to HEAD has the same header fields as a response to the list.
    var hasHead: Bool { method == "GET" && carrier != .body }
  }
}

extension Service.Resource {
  /// Returns the parameters as the members of an object, each at the path that its name spells: `page.limit`. Page
  /// sizes and positions become numbers, parameters in JSON become JSON, and all others texts.
  func members(of parameters: [(String, String)]) throws(BackendError) -> Object {
    let numbers = [paging.size, paging.number?.parameter, paging.offset, paging.stretch?.start, paging.stretch?.end]
    let documents = Set(
      [
        filters?.language.flatMap { $0.isJSON ? $0.parameter : nil }, sortList == .json ? sorting?.parameter : nil,
        paging.afterMember == nil ? nil : paging.after?.parameter,
      ].compactMap(\.self))
    var result = listing.members
    for (name, text) in parameters {
      var value = Value.string(text)
      if numbers.contains(name), let number = Number(text) { value = .number(number) }
      if documents.contains(name), let document = try? JSONReader.read(text) { value = document }
      guard result.put(value, at: name.split(separator: ".").map(String.init)[...]) else {
        throw .unsupported("the request has two values for \(name)")
      }
    }
    return result
  }

  private var sortList: Service.ListForm { sorting?.list ?? addressing.lists }
}

extension Service.Filters.Language {
  /// True if conditions are written as JSON.
  var isJSON: Bool {
    if case .text = and { false } else { true }
  }
}

extension Object {
  /// Puts a value at a path of members, creating objects on the way; returns false if another value is in the way.
  fileprivate mutating func put(_ value: Value, at path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return false }
    guard path.count > 1 else {
      guard self[name] == nil else { return false }
      self[name] = value
      return true
    }
    guard var inner = self[name] == nil ? Object() : self[name]?.object, inner.put(value, at: path.dropFirst()) else {
      return false
    }
    self[name] = .object(inner)
    return true
  }
}
