export ANTHROPIC_BASE_URL=$TOLLGATE_URL ANTHROPIC_AUTH_TOKEN=$TOLLGATE_KEY
claude -p 'call Bash with {"command":"cat note.txt","description":"Reads the note"}' --model "$MODEL" --allowedTools Bash
claude -p 'say: second turn' --model "$MODEL" --continue
