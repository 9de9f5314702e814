_switchboard() {
  local word cut character quote= current=${COMP_WORDS[COMP_CWORD]}
  local -i at place
  local -a found
  mapfile -d '' -t found < <(switchboard --complete "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  COMPREPLY=()
  # bash takes = and : for the ends of words, and replaces only what follows them.
  [[ $current == [=:] ]] && current=
  cut=${found[0]%"$current"}
  cut=${cut//[\"\'\\]/}
  [[ $current == [\"\']* ]] && quote=${current:0:1}
  (( ${#found[@]} == 2 )) && [[ -z ${found[1]} ]] && compopt +o default && return 0
  for ((at = 1; at < ${#found[@]}; at += 2)); do
    word=${found[at]#"$cut"}
    if [[ -z $quote ]]; then
      [[ -n $word ]] && printf -v word %q "$word"
      COMPREPLY+=("$word")
      continue
    fi
    # What goes on within quotes that are open.
    COMPREPLY+=("")
    for ((place = 0; place < ${#word}; place++)); do
      character=${word:place:1}
      case $quote$character in
        \"[\"\\\$\`]) character="\\$character" ;;
        \"!) character="\"'!'\"" ;;
        "''") character="'\\''" ;;
      esac
      # At the beginning of a line bash takes a ^ for a change of the command before, within quotes, too.
      [[ $character == ^ && ${word:0:place} == *$'\n' ]] && character="$quote$quote^"
      COMPREPLY[-1]+=$character
    done
    # Of two quotes at its beginning bash leaves out one: the one that is open counts as it.
    [[ ${COMPREPLY[-1]} == "$quote"* ]] && COMPREPLY[-1]=$quote${COMPREPLY[-1]}
  done
  # And it takes one at the end of the word for the end of the quotes.
  [[ -n $quote && ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *"$quote" ]] && COMPREPLY[0]+=$quote
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=/,~\<\>:] ]] && compopt -o nospace
  return 0
}
complete -o default -o nosort -F _switchboard switchboard
