# What holds for every rule is said once, here, after all rules are known.
#
# An artefact is only ever replaced as a whole, by a rename. So a rule's earlier results can stay where they are until
# the new ones are complete, and a job that failed or was killed has only to be known as one that has to run again.
# Snakemake's own way for outputs that stay (`update`) is to copy them first and to copy them back after a failure;
# but a copy that was cut short comes back as a result, and results that came back count as made with the new
# configuration. Therefore nothing is copied, and a job is recorded as done by the run itself, if it has succeeded.

from snakemake.io import flag
from snakemake.jobs import Job
from snakemake.persistence import FileBackupMixin, PersistenceBase

from biasorigin.imports import purpose_of


def prepare_rules():
    """Give every rule what all of them have in common.

    A rule keeps its earlier results until the new ones are complete; it says what it does in the words of its script's
    first line, instead of listing its files; it runs in the project's environment where one is asked for
    (--software-deployment-method conda).
    """
    for one in workflow.rules:
        for file in one.output:
            file._file = flag(file._file, "update")
        if one.script:
            text = purpose_of(SCRIPTS / Path(one.script).name).replace("{", "{{").replace("}", "}}")
            one.message = one.message or (f"{text} [{{wildcards}}]" if one.wildcard_names else text)
            one.conda_env = one.conda_env or str(PROJECT / "envs" / "biasorigin.yaml")


def keep_results_and_records():
    """Let a failed job change neither files nor records, and a job's own Snakemake no records."""
    succeed, record = Job.postprocess, PersistenceBase.finished

    async def postprocess(self, *arguments, error=False, **options):
        if not error:
            return await succeed(self, *arguments, **options)
        await self.dag.handle_log(self)
        await self.dag.handle_storage(self, store_only_log=True)

    async def finished(self, job):
        if self.dag.workflow.is_main_process:
            await record(self, job)

    Job.postprocess, PersistenceBase.finished = postprocess, finished
    FileBackupMixin.backup_output = lambda self, path: None


keep_results_and_records()
prepare_rules()
