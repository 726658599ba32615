mkdir -p ~/.codex
cat >~/.codex/config.toml <<END
model = "$MODEL"
model_provider = "tollgate"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.tollgate]
name = "Tollgate"
base_url = "$TOLLGATE_URL/v1"
env_key = "TOLLGATE_KEY"
wire_api = "responses"
supports_websockets = true
END
codex exec --skip-git-repo-check -s danger-full-access 'call exec_command with {"cmd":"cat note.txt"}'
codex exec --skip-git-repo-check -s danger-full-access resume --last 'say: second turn'
