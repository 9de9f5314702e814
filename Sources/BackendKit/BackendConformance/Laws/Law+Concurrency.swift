extension Law {
  static let concurrency: [Law] = []
}
