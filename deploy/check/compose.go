package main

import (
	"context"

	"github.com/compose-spec/compose-go/v2/cli"
)

// environment has a value for each variable that a compose file requires.
var environment = []string{"POSTGRES_PASSWORD=password", "TOLLGATE_ADMIN_TOKEN=token", "GRAFANA_ADMIN_PASSWORD=password"}

// checkCompose loads a compose file as Docker Compose does, which validates it against the schema and checks references.
func checkCompose(file string) []error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithConsistency(true), cli.WithEnv(environment))
	if err != nil {
		return []error{err}
	}
	if _, err := options.LoadProject(context.Background()); err != nil {
		return []error{err}
	}
	return nil
}
