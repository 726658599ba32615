export LLM_USER_PATH=$PWD/settings
mkdir -p "$LLM_USER_PATH"
cat >"$LLM_USER_PATH/extra-openai-models.yaml" <<END
- model_id: session
  model_name: $MODEL
  api_base: $TOLLGATE_URL/v1
  api_key_name: tollgate
  supports_tools: true
END
llm keys set tollgate --value "$TOLLGATE_KEY"
function='def read_note(path: str) -> str: return open(path).read()'
llm -m session --functions "$function" 'call read_note with {"path":"note.txt"}'
llm -m session --continue 'say: second turn'
