#!/bin/sh
# Say in one word what became of a job: running, success or failed. Gets the job's id, as the submit command printed it.
# This is for Slurm. A scheduler that does not answer has said nothing about the job, so the job counts as running.
case "$(scontrol show job "$1" 2>&1)" in
*JobState=COMPLETED*) echo success ;;
*JobState=FAILED* | *JobState=CANCELLED* | *JobState=TIMEOUT* | *JobState=OUT_OF_MEMORY*) echo failed ;;
*JobState=NODE_FAIL* | *JobState=BOOT_FAIL* | *JobState=DEADLINE* | *"Invalid job id"*) echo failed ;;
*) echo running ;;
esac
