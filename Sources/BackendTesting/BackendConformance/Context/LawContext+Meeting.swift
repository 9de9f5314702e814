extension LawContext {
  /// A way to the server on which so many calls meet.
  func meeting(_ count: Int) -> BarrierExchange {
    BarrierExchange(traffic, of: count, patience: subject.patience)
  }
}
