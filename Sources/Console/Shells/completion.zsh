#compdef switchboard
_switchboard() {
  local word note
  local -a found words_ shown open openshown
  found=("${(@0)$(switchboard --complete "$LBUFFER" 2>/dev/null)}")
  for word note in "${(@)found[2,-1]}"; do
    [[ -n $word ]] || continue
    if [[ $word == *[=/,~\<\>:] ]]; then
      open+=("$word"); openshown+=("${(V)word}${note:+  -- $note}")
    else
      words_+=("$word"); shown+=("${(V)word}${note:+  -- $note}")
    fi
  done
  (( ${#words_} + ${#open} == 0 && ${#found} > 1 )) && return 1
  # Inside an open quote, zsh itself would write a file name that is not valid text as a different name.
  (( ${#words_} + ${#open} )) || { [[ -n $compstate[quote] ]] || _files; return }
  (( ${#words_} )) && compadd -V switchboard -l -d shown -- "${words_[@]}"
  (( ${#open} )) && compadd -S '' -V switchboard -l -d openshown -- "${open[@]}"
  return 0
}
compdef _switchboard switchboard
