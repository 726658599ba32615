package main

import (
	"context"

	"github.com/compose-spec/compose-go/v2/cli"
)

// checkCompose loads a compose file as Docker Compose does, which validates it against the schema and checks references.
func checkCompose(file string) []error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithConsistency(true))
	if err != nil {
		return []error{err}
	}
	if _, err := options.LoadProject(context.Background()); err != nil {
		return []error{err}
	}
	return nil
}
