"""The tasks of the exercise sheets, one module a sheet: `from rlcourse.checks import sheet02`.

A task is written once (`task.Task`) and used three ways: below the task in the notebook, by nbgrader, and by the grader of
`rlcourse.grading`, which calls the handed-in function in another process.
"""
