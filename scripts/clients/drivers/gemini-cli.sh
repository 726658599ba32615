export GOOGLE_GEMINI_BASE_URL=$TOLLGATE_URL GEMINI_API_KEY=$TOLLGATE_KEY
mkdir -p ~/.gemini
# Without this setting the client chooses a method for other gateways, which it then refuses.
echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false}}' > ~/.gemini/settings.json
options=(--model "$MODEL" --yolo --skip-trust)
gemini "${options[@]}" --prompt 'call read_file with {"file_path":"note.txt"}'
gemini "${options[@]}" --resume latest --prompt 'say: second turn'
