# biasorigin: measure the bias of word embeddings and trace it to the documents it came from.
#
#     snakemake --cores all                                    the default study (config/config.yaml)
#     snakemake --cores all --configfile config/smoke.yaml     another study: a file of differences
#     snakemake --cores all corpus                             one stage
#
# This file only says what the parts are. Each stage has a rules file; each rule has a thin script.

from pathlib import Path

from snakemake.utils import min_version

min_version("9.0")

PROJECT = Path(workflow.basedir)


configfile: str(PROJECT / "config" / "config.yaml")


include: "workflow/rules/common.smk"
include: "workflow/rules/corrections.smk"
include: "workflow/rules/sources.smk"
include: "workflow/rules/corpus.smk"
include: "workflow/rules/embeddings.smk"
include: "workflow/rules/embeddings_glove.smk"
include: "workflow/rules/embeddings_quality.smk"
include: "workflow/rules/association.smk"
include: "workflow/rules/discovery.smk"
include: "workflow/rules/enumeration.smk"
include: "workflow/rules/attribution.smk"
include: "workflow/rules/attribution_validation.smk"
include: "workflow/rules/mitigation.smk"
include: "workflow/rules/scorecard.smk"
include: "workflow/rules/report.smk"


prepare_rules()


rule all:
    default_target: True
    input:
        rules.corpus.input,
        rules.embeddings.input,
        rules.association.input,
        rules.discovery.input,
        rules.enumeration.input,
        rules.attribution.input,
        rules.mitigation.input,
        rules.scorecard.input,
        rules.report.input,


onstart:
    start_run()
    write_run_config()


onsuccess:
    print(closing_words())
