import ConsoleSupport

/// A backend of a configuration that speaks as a description says.
struct DescribedBackend {
  fileprivate let text: String

  /// `description` names a file `NAME.yaml`; `more` is added to the backend.
  init(_ name: String, _ address: String, by description: String? = nil, more: String = "") {
    let file = description.map { #", "description": "\#($0).yaml""# } ?? ""
    text = #""\#(name)": {"plugin": "rest", "url": "\#(address)"\#(file)\#(more)}"#
  }
}

extension ConsoleRun.Home {
  /// Makes a home with a configuration of backends and with descriptions, each in a file `NAME.yaml`.
  convenience init(
    _ backends: [DescribedBackend], default name: String? = nil, describing descriptions: KeyValuePairs<String, String>
  ) throws {
    let first = name.map { #""default": "\#($0)", "# } ?? ""
    let all = backends.map(\.text).joined(separator: ", ")
    try self.init(configuration: #"{"switchboard": 1, \#(first)"backends": {\#(all)}}"#)
    for (name, text) in descriptions { _ = try write(text, to: "\(name).yaml") }
  }
}
