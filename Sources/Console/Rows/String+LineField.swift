extension String {
  /// An identifier as a field of a line between tabs. A service may choose one with tabs and line ends.
  var lineField: String {
    var field = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\t": field += "\\t"
      case "\n": field += "\\n"
      case "\r": field += "\\r"
      case "\\": field += "\\\\"
      default: field.unicodeScalars.append(scalar)
      }
    }
    return field
  }
}
