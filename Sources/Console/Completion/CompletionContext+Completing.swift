extension CompletionContext {
  /// Returns the completions of a line that ends at the cursor. Late ones are pending: a later call returns them.
  func complete(_ line: String) -> CommandCompletion {
    var completer = Completer(now)
    var completion = completer.complete(line)
    var asked: Set<Lookup> = []
    // A result may reveal what else is missing.
    for _ in 0..<2 where !completer.missing.subtracting(asked).isEmpty {
      asked.formUnion(completer.missing)
      guard find(completer.missing, within: 50) else { break }
      completer = Completer(now)
      completion = completer.complete(line)
    }
    let (isPending, hasFailed) = progress(of: completer.missing)
    completion.isPending = isPending
    if isPending || hasFailed { completion.isPartial = true }
    return completion
  }
}
