provider=openai
if [ "$PROTOCOL" = responses ]; then provider=openai-native; fi
cline auth "$provider" -k "$TOLLGATE_KEY" -m "$MODEL" -b "$TOLLGATE_URL/v1"
cline --json -P "$provider" -m "$MODEL" 'call read_files with {"files":[{"path":"note.txt"}]}'
