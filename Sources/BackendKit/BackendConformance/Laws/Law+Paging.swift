extension Law {
  static let paging: [Law] = []
}
