extension String {
  /// An identifier with tabs and line ends escaped, for a line of fields between tabs.
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
