package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/json"
	sigs "sigs.k8s.io/yaml"
)

// The kinds that the chart renders. A kind that is missing here is an error.
var kinds = map[string]func() any{
	"apps/v1 Deployment":                      func() any { return &apps.Deployment{} },
	"apps/v1 StatefulSet":                     func() any { return &apps.StatefulSet{} },
	"autoscaling/v2 HorizontalPodAutoscaler":  func() any { return &autoscaling.HorizontalPodAutoscaler{} },
	"monitoring.coreos.com/v1 ServiceMonitor": func() any { return &monitoring.ServiceMonitor{} },
	"networking.k8s.io/v1 Ingress":            func() any { return &networking.Ingress{} },
	"networking.k8s.io/v1 NetworkPolicy":      func() any { return &networking.NetworkPolicy{} },
	"policy/v1 PodDisruptionBudget":           func() any { return &policy.PodDisruptionBudget{} },
	"v1 ConfigMap":                            func() any { return &core.ConfigMap{} },
	"v1 PersistentVolumeClaim":                func() any { return &core.PersistentVolumeClaim{} },
	"v1 Service":                              func() any { return &core.Service{} },
	"v1 ServiceAccount":                       func() any { return &core.ServiceAccount{} },
}

// checkManifests decodes each document of a file into the type of its kind. Unknown and duplicate fields are problems.
func checkManifests(file string) (problems []error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return []error{err}
	}
	reader := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	for count := 0; ; count++ {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			if count == 0 {
				problems = append(problems, errors.New("there is no document"))
			}
			return problems
		}
		if err != nil {
			return append(problems, err)
		}
		if err := decode(document); err != nil {
			problems = append(problems, err)
		}
	}
}

func decode(document []byte) error {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if err := sigs.Unmarshal(document, &head); err != nil {
		return err
	}
	name := head.APIVersion + " " + head.Kind
	newObject := kinds[name]
	if newObject == nil {
		return fmt.Errorf("the kind %q is not known to this check", name)
	}
	// The names of fields are case-sensitive in a cluster, unlike in Go's own decoder.
	content, err := sigs.YAMLToJSONStrict(document)
	if err != nil {
		return err
	}
	unknown, err := json.UnmarshalStrict(content, newObject())
	if err := errors.Join(append(unknown, err)...); err != nil {
		return fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.Name, err)
	}
	return nil
}
